// SPDX-License-Identifier: Apache-2.0
//
// The value of an option of a deployment: text read by the type of the member that holds it, and the member as TOML.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/config/nova/deployment_options.hpp"
#include "core/config/nova/value.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

inline Node node_of(const std::optional<std::int64_t>& value) {
  return {value.value_or(0)};
}
inline Node node_of(std::chrono::seconds value) {
  return {std::int64_t{value.count()}};
}
inline Node node_of(const std::vector<std::string>& value) {
  return to_node(value);
}
template <class T>
Node node_of(const T& value) {
  return {value};
}

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, bool>) return Type::boolean;
  if constexpr (std::is_same_v<T, std::string>) return Type::text;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return Type::list;
  return Type::integer;
}

template <class T>
T value_in(const Node& node) {
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    std::vector<std::string> texts;
    for (const Node& item : std::get<Array>(node.value)) texts.push_back(std::get<std::string>(item.value));
    return texts;
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return std::get<T>(node.value);
  } else {
    return T(std::get<std::int64_t>(node.value));
  }
}

// Returns "expected ..., found ..." if the value does not suit the option.
template <class Holder>
std::string fault_of_value(const Option<Holder>& option, const Node& node) {
  if (const auto* number = node.get<std::int64_t>(); number != nullptr && *number < option.minimum)
    return "expected at least " + std::to_string(option.minimum) + ", found " + std::to_string(*number);
  const auto* text = node.get<std::string>();
  if (text == nullptr || option.choices.empty() || std::ranges::find(option.choices, *text) != option.choices.end())
    return "";
  std::string all;
  for (const std::string_view choice : option.choices) all.append(all.empty() ? "one of " : ", ").append(choice);
  const std::string near = nearest(*text, {option.choices.begin(), option.choices.end()});
  return "expected " + all + ", found " + describe(node) + (near.empty() ? "" : "; did you mean " + near + "?");
}

// Reads the text by the option's type, and stores it. Returns "expected ..., found ..." where Nova would refuse it.
template <class Holder, class T>
Result<void> store_value(const Option<Holder>& option, std::string_view text, T& value) {
  const auto node = read_value(type_of<T>(), text);
  if (!node) return node.error();
  if (std::string fault = fault_of_value(option, *node); !fault.empty())
    return Error{ErrorCode::invalid_argument, std::move(fault), ""};
  value = value_in<T>(*node);
  return {};
}

template <class Holder>
Result<void> store_option(const Option<Holder>& option, std::string_view text, Holder& holder) {
  return std::visit([&](auto place) { return store_value(option, text, place(holder)); }, option.field);
}

}  // namespace gantry::config::nova
