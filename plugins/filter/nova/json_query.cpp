// SPDX-License-Identifier: Apache-2.0
#include "nova/json_query.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "python/blanks.hpp"
#include "python/python_json.hpp"
#include "python/python_text.hpp"

namespace filter_driver {
namespace {

// Returns the characters of a text, each as a text. Python sees these when it iterates over a text as a list.
std::vector<boost::json::value> characters(std::string_view text) {
  std::vector<boost::json::value> characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
    characters.emplace_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return characters;
}

}  // namespace

json_query::node json_query::failed(std::string kind, std::string sentence) {
  node part;
  part.what = node::failing;
  part.error = {std::move(kind), std::move(sentence)};
  return part;
}

json_query::json_query(const boost::json::value& hint, release release)
    : orders_unlike_types_(release->orders_unlike_types) {
  if (!is_true(hint)) return;
  if (!hint.is_string()) {
    root_ = failed("TypeError", "the JSON object must be str, bytes or bytearray, not " + std::string(type_name(hint)));
    return;
  }
  const outcome<boost::json::value> query = read_json(hint.get_string());
  root_ = query.ok() ? compiled(query.value()) : failed(query.error().kind, query.error().sentence);
}

json_query::node json_query::compiled(const boost::json::value& query) {
  if (!is_true(query)) return {};
  std::vector<boost::json::value> items;
  if (query.is_string()) {
    items = characters(query.get_string());
  } else if (query.is_array()) {
    items.assign(query.get_array().begin(), query.get_array().end());
  } else if (query.is_object()) {
    return failed("KeyError", "0");
  } else {
    return failed("TypeError", std::string("'").append(type_name(query)) + "' object is not subscriptable");
  }
  const boost::json::value name = std::move(items.front());
  items.erase(items.begin());
  return compiled_call(name, items);
}

json_query::node json_query::compiled_call(const boost::json::value& name,
                                           const std::vector<boost::json::value>& arguments) {
  struct named {
    std::string_view name;
    operation does;
    comparison compares = comparison::equal;
  };
  constexpr std::array<named, 9> operations = {{{"=", operation::compare, comparison::equal},
                                                {"<", operation::compare, comparison::less},
                                                {">", operation::compare, comparison::greater},
                                                {"<=", operation::compare, comparison::at_most},
                                                {">=", operation::compare, comparison::at_least},
                                                {"in", operation::in},
                                                {"not", operation::negate},
                                                {"or", operation::any},
                                                {"and", operation::all}}};
  if (name.is_array() || name.is_object()) {
    return failed("TypeError", "unhashable type: '" + std::string(type_name(name)) + "'");
  }
  const auto* const known = std::find_if(operations.begin(), operations.end(), [&](const named& operation) {
    return name.is_string() && operation.name == std::string_view(name.get_string());
  });
  if (known == operations.end()) return failed("KeyError", repr_of(name));
  node call;
  call.what = node::call;
  call.does = known->does;
  call.compares = known->compares;
  call.arguments.reserve(arguments.size());
  for (const boost::json::value& argument : arguments) call.arguments.push_back(compiled_argument(argument));
  return call;
}

json_query::node json_query::compiled_argument(const boost::json::value& argument) {
  if (argument.is_array()) return compiled(argument);
  node part;
  part.value = argument;
  if (!argument.is_string()) return part;
  const std::string_view text = argument.get_string();
  if (text.empty()) {
    part.value = nullptr;
  } else if (text.starts_with('$')) {
    const std::vector<std::string_view> names = parts_of(text.substr(1), '.');
    part.what = node::attribute;
    part.path.assign(names.begin(), names.end());
  }
  return part;
}

outcome<boost::json::value> json_query::evaluated(const node& part, const attributes& host) const {
  if (part.what == node::constant) return part.value;
  if (part.what == node::failing) return part.error;
  if (part.what == node::attribute) {
    const boost::json::value* value = host.find(part.path.front());
    for (std::size_t level = 1; level < part.path.size() && value != nullptr && !value->is_null(); ++level) {
      if (!value->is_object()) {
        return raised{"AttributeError", std::string("'").append(type_name(*value)) + "' object has no attribute 'get'"};
      }
      value = value->get_object().if_contains(part.path[level]);
    }
    return value != nullptr ? *value : boost::json::value(nullptr);
  }
  std::vector<boost::json::value> arguments;
  arguments.reserve(part.arguments.size());
  for (const auto& argument : part.arguments) {
    outcome<boost::json::value> value = evaluated(argument, host);
    if (!value.ok()) return value;
    if (!value.value().is_null()) arguments.push_back(std::move(value.value()));
  }
  return applied(part, arguments);
}

outcome<boost::json::value> json_query::applied(const node& call,
                                                const std::vector<boost::json::value>& arguments) const {
  if (call.does == operation::any) {
    return boost::json::value(std::any_of(arguments.begin(), arguments.end(), is_true));
  }
  if (call.does == operation::all) {
    return boost::json::value(std::all_of(arguments.begin(), arguments.end(), is_true));
  }
  if (call.does == operation::negate) {
    boost::json::array negations;
    negations.reserve(arguments.size());
    for (const boost::json::value& argument : arguments) negations.emplace_back(!is_true(argument));
    return boost::json::value(std::move(negations));
  }
  if (arguments.size() < 2) return boost::json::value(false);
  const boost::json::value& first = arguments.front();
  if (call.does == operation::in) {
    return boost::json::value(std::any_of(arguments.begin() + 1, arguments.end(),
                                          [&](const boost::json::value& other) { return equal_values(first, other); }));
  }
  bool all = true;
  for (std::size_t other = 1; other < arguments.size(); ++other) {
    const outcome<bool> one = orders_unlike_types_ ? compare_values_in_python_2(call.compares, first, arguments[other])
                                                   : compare_values(call.compares, first, arguments[other]);
    if (!one.ok()) return one.error();
    all = all && one.value();
  }
  return boost::json::value(all);
}

outcome<bool> json_query::holds_for(const attributes& host) const {
  const outcome<boost::json::value> result = evaluated(root_, host);
  if (!result.ok()) return result.error();
  if (!result.value().is_array()) return is_true(result.value());
  const boost::json::array& results = result.value().get_array();
  return std::any_of(results.begin(), results.end(), is_true);
}

void json_query::collect(const node& part, std::vector<std::string>& names) {
  if (part.what == node::attribute) names.push_back(part.path.front());
  for (const auto& argument : part.arguments) collect(argument, names);
}

std::vector<std::string> json_query::reads() const {
  std::vector<std::string> names;
  collect(root_, names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace filter_driver
