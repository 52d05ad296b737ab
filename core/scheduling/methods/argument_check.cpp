// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/argument_check.hpp"

#include <algorithm>
#include <charconv>

#include "core/encoding/nearest.hpp"
#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

namespace {

// The texts of a list, such as the uuids of a request's instances.
constexpr std::size_t most_texts = 10'000;

bool is_integer_text(std::string_view text) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

bool is_text_of(const json::value& value, std::initializer_list<std::string_view> texts) {
  return value.is_string() && std::ranges::find(texts, std::string_view(value.get_string())) != texts.end();
}

bool is_choice(const Argument& argument, const json::value& value) {
  const auto choices = choices_of(argument);
  return value.is_string() && std::ranges::find(choices, std::string_view(value.get_string())) != choices.end();
}

bool is_pair_of_names(const json::value& value) {
  if (!value.is_array() || value.get_array().size() != 2) return false;
  const auto& pair = value.get_array();
  return pair[0].is_string() && (pair[1].is_string() || pair[1].is_null());
}

bool is_integer(const json::object& args, const Argument& argument, const json::value& value) {
  return value.is_string() ? is_integer_text(value.get_string()) : json::find_integer(args, argument.name).has_value();
}

bool fits(const json::object& args, const Argument& argument, const json::value& value) {
  switch (argument.type) {
    case ArgumentType::any: return true;
    case ArgumentType::text: return value.is_string();
    case ArgumentType::truth:
      return value.is_bool() || is_text_of(value, {"true", "false", "1", "0"}) || is_choice(argument, value);
    case ArgumentType::integer: return is_integer(args, argument, value);
    case ArgumentType::object: return value.is_object();
    case ArgumentType::texts:
      return value.is_array() &&
             std::ranges::all_of(value.get_array(), [](const auto& item) { return item.is_string(); });
    case ArgumentType::host_name: return value.is_string() || is_pair_of_names(value);
    case ArgumentType::id_or_name: return value.is_string() || json::find_integer(args, argument.name).has_value();
    case ArgumentType::time: return value.is_string() || value.is_number();
  }
  return false;
}

// "true, false, hosts or all_filters"
std::string expected_of(const Argument& argument) {
  if (argument.type != ArgumentType::truth || argument.choices.empty()) return std::string(words_for(argument.type));
  std::string expected = "true, false";
  const auto choices = choices_of(argument);
  for (const auto choice : choices) expected.append(choice == choices.back() ? " or " : ", ").append(choice);
  return expected;
}

// Names the text that was found instead of a choice.
std::string found_text(const Argument& argument, const json::value& value, std::string_view found) {
  if (argument.type != ArgumentType::truth || argument.choices.empty() || !value.is_string()) return std::string(found);
  return "'" + std::string(std::string_view(value.get_string()).substr(0, 64)) + "'";
}

Error faulty_argument(const Method& method, const Argument& argument, const std::string& fault) {
  return {ErrorCode::invalid_argument,
          std::string(method.name) + ": argument '" + std::string(argument.name) + "': " + fault,
          {}};
}

Error bad_argument(const Method& method, const Argument& argument, std::string_view found) {
  return faulty_argument(method, argument, "expected " + expected_of(argument) + ", found " + std::string(found));
}

// Returns what is wrong with the texts of a value that has the argument's type. Empty: nothing is.
std::string fault_of_texts(const Argument& argument, const json::value& value) {
  if (argument.type == ArgumentType::any || argument.type == ArgumentType::object) return {};
  if (value.is_string()) return fault_of(argument.kind, value.get_string());
  const auto* list = value.if_array();
  if (list == nullptr) return {};
  if (list->size() > most_texts)
    return "expected at most " + std::to_string(most_texts) + " texts, found " + std::to_string(list->size());
  for (const auto& item : *list) {
    if (!item.is_string()) continue;
    if (auto fault = fault_of(argument.kind, item.get_string()); !fault.empty()) return fault;
  }
  return {};
}

// An unknown argument is refused: a misspelt one that was ignored would give a wrong answer.
Error unknown_argument(const Method& method, std::string_view name) {
  std::vector<std::string> known;
  known.reserve(method.args.size());
  for (const auto& argument : method.args) known.emplace_back(argument.name);
  auto message = std::string(method.name) + " has no argument '" + std::string(name) + "'";
  if (const auto near = nearest(name, known); !near.empty()) message += "; did you mean '" + near + "'?";
  return {ErrorCode::invalid_argument, message, {}};
}

std::string_view found_in(const Argument& argument, const json::value& value) {
  // The fault of a list of texts is in one of its items.
  if (argument.type == ArgumentType::texts && value.is_array()) {
    const auto& list = value.get_array();
    const auto wrong = std::ranges::find_if(list, [](const auto& item) { return !item.is_string(); });
    if (wrong != list.end()) return json::type_name(*wrong);
  }
  return json::type_name(value);
}

}  // namespace

std::string_view words_for(ArgumentType type) {
  switch (type) {
    case ArgumentType::any: return "any value";
    case ArgumentType::text: return "text";
    case ArgumentType::truth: return "true or false";
    case ArgumentType::integer: return "a whole number";
    case ArgumentType::object: return "an object";
    case ArgumentType::texts: return "a list of texts";
    case ArgumentType::host_name: return "a host, or a pair [host, node]";
    case ArgumentType::id_or_name: return "an id or a name";
    case ArgumentType::time: return "ISO 8601 such as \"2026-11-21T09:00:00Z\" or seconds since 1970";
  }
  return "";
}

Result<void> check_arguments(const Method& method, const json::object& args) {
  for (const auto& member : args) {
    const std::string_view name = member.key();
    if (std::ranges::find(method.args, name, &Argument::name) == method.args.end())
      return unknown_argument(method, name);
  }
  for (const auto& argument : method.args) {
    const auto* value = json::find(args, argument.name);
    if (value == nullptr) {
      if (argument.required) return bad_argument(method, argument, "none");
      continue;
    }
    if (!fits(args, argument, *value))
      return bad_argument(method, argument, found_text(argument, *value, found_in(argument, *value)));
    if (argument.required && value->is_string() && value->get_string().empty())
      return bad_argument(method, argument, "an empty text");
    if (auto fault = fault_of_texts(argument, *value); !fault.empty()) return faulty_argument(method, argument, fault);
  }
  return {};
}

Result<void> check_context(const json::object& context) {
  for (const auto* key : {"user_id", "user", "project_id", "tenant", "remote_address"}) {
    const auto text = json::find_string(context, key);
    const auto fault = text ? fault_of(TextKind::name, *text) : std::string();
    if (!fault.empty()) return Error{ErrorCode::invalid_argument, "context." + std::string(key) + ": " + fault, {}};
  }
  return {};
}

}  // namespace gantry::scheduling
