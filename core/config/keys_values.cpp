// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/config/keys.hpp"
#include "core/config/listen_address.hpp"
#include "core/config/load.hpp"
#include "core/config/socket_role.hpp"
#include "core/encoding/nearest.hpp"
#include "core/files/mode_text.hpp"

namespace gantry::config {

namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

Error unlike(const Key& key, const std::string& found, const std::string& hint = {}) {
  return {ErrorCode::invalid_configuration, "expected " + expectation(key) + ", found " + found + hint, ""};
}

bool is_within(const Key& key, double number) {
  return number >= key.minimum && number <= key.maximum;
}

// Whole bounds are written without a point, as people read them.
std::string bound_text(double number) {
  const bool is_whole = std::floor(number) == number && std::abs(number) < 1e15;
  return is_whole ? std::to_string(static_cast<std::int64_t>(number)) : to_toml(number);
}

std::string range_text(const Key& key) {
  return bound_text(key.minimum) + " to " + bound_text(key.maximum);
}

std::optional<double> number_in(const Node& node) {
  if (const auto* integer = node.get<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* real = node.get<double>(); real != nullptr && std::isfinite(*real)) return *real;
  return std::nullopt;
}

Result<void> put_mode(const Key& key, const Node& node, std::uint32_t& place) {
  const auto* text = node.get<std::string>();
  if (text == nullptr) return unlike(key, describe(node));
  std::uint32_t mode = 0;
  const char* end = text->data() + text->size();
  const auto [stopped, fault] = std::from_chars(text->data(), end, mode, 8);
  if (fault != std::errc{} || stopped != end || text->size() < 3 || !is_within(key, mode))
    return unlike(key, describe(node));
  place = mode;
  return {};
}

template <class Integer>
Result<void> put_integer(const Key& key, const Node& node, Integer& place) {
  const auto* integer = node.get<std::int64_t>();
  if (integer == nullptr || !is_within(key, static_cast<double>(*integer))) return unlike(key, describe(node));
  place = static_cast<Integer>(*integer);
  return {};
}

Result<void> put(const Key& key, const Node& node, bool& place) {
  const auto* value = node.get<bool>();
  if (value == nullptr) return unlike(key, describe(node));
  place = *value;
  return {};
}

Result<void> put(const Key& key, const Node& node, std::uint32_t& place) {
  return key.form == Form::file_mode ? put_mode(key, node, place) : put_integer(key, node, place);
}

Result<void> put(const Key& key, const Node& node, std::uint16_t& place) {
  return put_integer(key, node, place);
}

Result<void> put(const Key& key, const Node& node, std::uint64_t& place) {
  return put_integer(key, node, place);
}

Result<void> put(const Key& key, const Node& node, double& place) {
  const auto number = number_in(node);
  if (!number || !is_within(key, *number)) return unlike(key, describe(node));
  place = *number;
  return {};
}

Result<void> put(const Key& key, const Node& node, milliseconds& place) {
  const auto seconds = number_in(node);
  if (!seconds || !is_within(key, *seconds)) return unlike(key, describe(node));
  place = milliseconds(std::llround(*seconds * 1000));
  return {};
}

Result<void> put(const Key& key, const Node& node, std::string& place) {
  const auto* text = node.get<std::string>();
  if (text == nullptr) return unlike(key, key.form == Form::secret ? "no text" : describe(node));
  if (!key.choices.empty() && std::find(key.choices.begin(), key.choices.end(), *text) == key.choices.end()) {
    const std::string near = nearest(*text, {key.choices.begin(), key.choices.end()});
    return unlike(key, describe(node), near.empty() ? "" : "; did you mean " + to_toml(near) + "?");
  }
  const bool is_path = text->starts_with('/');
  if (key.form == Form::absolute_path && !is_path) return unlike(key, describe(node));
  if (key.form == Form::absolute_path_or_none && !is_path && !text->empty()) return unlike(key, describe(node));
  place = *text;
  return {};
}

Result<void> check_driver_names(const Key& key, const Node& node, const Texts& names) {
  if (names.empty()) return unlike(key, describe(node));
  for (auto at = names.begin(); at != names.end(); ++at) {
    if (at->ends_with(".so"))
      return unlike(key, to_toml(*at),
                    "; give the name without .so here, and a file elsewhere as path in its [driver.<name>]");
    if (!is_driver_id(*at)) return unlike(key, to_toml(*at));
    if (std::find(names.begin(), at, *at) != at) return unlike(key, to_toml(*at) + " twice");
  }
  return {};
}

// Returns what is wrong with an item of a list.
Result<void> check_item(const Key& key, const Node& item) {
  const auto* text = item.get<std::string>();
  if (text == nullptr) return unlike(key, describe(item) + " in it");
  if (key.form == Form::absolute_paths && !text->starts_with('/')) return unlike(key, to_toml(*text) + " in it");
  if (key.form == Form::socket_roles) {
    const auto role = parse_socket_role(*text);
    return role ? Result<void>() : role.error();
  }
  if (key.form != Form::listen_addresses) return {};
  const auto address = parse_listen_address(*text);
  return address ? Result<void>() : address.error();
}

// All faults of a list, one on each line.
Result<void> check_items(const Key& key, const Array& items) {
  std::string faults;
  for (const auto& item : items) {
    if (const auto checked = check_item(key, item); !checked)
      faults.append(faults.empty() ? "" : "\n").append(checked.error().message);
  }
  return faults.empty() ? Result<void>() : Error{ErrorCode::invalid_configuration, faults, ""};
}

Result<void> put(const Key& key, const Node& node, Texts& place) {
  Texts texts;
  if (const auto* text = node.get<std::string>(); text != nullptr && key.form == Form::driver_names) {
    texts.push_back(*text);
  } else if (const auto* items = node.get<Array>()) {
    if (auto checked = check_items(key, *items); !checked) return checked;
    for (const auto& item : *items) texts.push_back(*item.get<std::string>());
  } else {
    return unlike(key, describe(node));
  }
  if (key.form == Form::driver_names) {
    if (auto checked = check_driver_names(key, node, texts); !checked) return checked;
  }
  place = std::move(texts);
  return {};
}

std::string text_of(const Key& key, std::uint32_t value) {
  return key.form == Form::file_mode ? to_toml(std::string_view(files::mode_text(value))) : std::to_string(value);
}
std::string text_of(const Key&, bool value) {
  return value ? "true" : "false";
}
std::string text_of(const Key&, std::uint16_t value) {
  return std::to_string(value);
}
std::string text_of(const Key&, std::uint64_t value) {
  return std::to_string(value);
}
std::string text_of(const Key&, double value) {
  return to_toml(value);
}
std::string text_of(const Key& key, const std::string& value) {
  if (key.form == Form::secret && !value.empty()) return "\"****\"";
  return to_toml(std::string_view(value));
}
std::string text_of(const Key&, milliseconds value) {
  if (value.count() % 1000 == 0) return std::to_string(value.count() / 1000);
  return to_toml(static_cast<double>(value.count()) / 1000);
}
std::string text_of(const Key& key, const Texts& value) {
  if (key.form == Form::driver_names && value.size() == 1) return to_toml(std::string_view(value.front()));
  Array items;
  for (const auto& text : value) items.push_back({text});
  return to_toml(Node{std::move(items)});
}

std::string expectation_for(const Key& key, const std::string& /*type*/) {
  if (!key.choices.empty()) {
    std::string text = "one of ";
    for (const auto choice : key.choices) text += (choice == key.choices.front() ? "" : ", ") + to_toml(choice);
    return text;
  }
  if (key.form == Form::absolute_path) return "an absolute path in quotes";
  if (key.form == Form::absolute_path_or_none) return "an absolute path in quotes, or \"\"";
  return "a text in quotes";
}
std::string expectation_for(const Key& key, std::uint16_t /*type*/) {
  return "a whole number, " + range_text(key);
}
std::string expectation_for(const Key&, bool /*type*/) {
  return "true or false";
}
std::string expectation_for(const Key& key, std::uint64_t /*type*/) {
  return "a whole number, " + range_text(key);
}
std::string expectation_for(const Key& key, std::uint32_t /*type*/) {
  if (key.form == Form::file_mode) return R"(an octal text such as "0660")";
  return "a whole number, " + range_text(key);
}
std::string expectation_for(const Key& key, double /*type*/) {
  return "a number, " + range_text(key);
}
std::string expectation_for(const Key& key, milliseconds /*type*/) {
  return "a number of seconds, " + range_text(key);
}
std::string expectation_for(const Key& key, const Texts& /*type*/) {
  if (key.form == Form::driver_names)
    return "the name of a driver (letters, digits, _ and -), or a list of different names";
  if (key.form == Form::listen_addresses) return R"(a list of addresses with ports, as ["127.0.0.1:8774"])";
  if (key.form == Form::socket_roles) return R"(a list of roles, as ["user:nagios=reader"])";
  return "a list of absolute paths";
}

}  // namespace

Result<void> store(const Key& key, const Node& node, Settings& settings) {
  return std::visit([&](auto place) { return put(key, node, place(settings)); }, key.field);
}

std::string value_text(const Key& key, const Settings& settings) {
  // Places are written for settings that change; a copy keeps this promise of const without a second table.
  Settings copy = settings;
  return std::visit([&](auto place) { return text_of(key, place(copy)); }, key.field);
}

std::string expectation(const Key& key) {
  Settings any;
  return std::visit([&](auto place) { return expectation_for(key, place(any)); }, key.field);
}

std::string fault_of_key(std::string_view full_name, const Node& node) {
  const std::size_t dot = full_name.find('.');
  Settings any = default_settings();
  const auto stored = store(*find_key(full_name.substr(0, dot), full_name.substr(dot + 1)), node, any);
  return stored ? "" : stored.error().message;
}

std::string default_text(const Key& key) {
  return key.written_default.empty() ? value_text(key, default_settings()) : std::string(key.written_default);
}

}  // namespace gantry::config
