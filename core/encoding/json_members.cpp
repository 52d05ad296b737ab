// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "core/encoding/json.hpp"

namespace gantry::json {

const value* find(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  return member != nullptr && !member->is_null() ? member : nullptr;
}

const json::object* find_object(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  return member != nullptr ? member->if_object() : nullptr;
}

const array* find_array(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  return member != nullptr ? member->if_array() : nullptr;
}

std::optional<std::string_view> find_string(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  const auto& text = member->get_string();
  return std::string_view(text.data(), text.size());
}

std::optional<std::int64_t> find_integer(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  if (member == nullptr) return std::nullopt;
  if (const auto* number = member->if_int64()) return *number;
  if (const auto* number = member->if_uint64(); number != nullptr && std::in_range<std::int64_t>(*number))
    return static_cast<std::int64_t>(*number);
  const auto* number = member->if_double();
  // 2^63 is a double, the largest int64 is not: hence the half-open range.
  if (number == nullptr || !(*number >= -0x1p63 && *number < 0x1p63) || std::trunc(*number) != *number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

std::optional<double> find_number(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  if (member == nullptr) return std::nullopt;
  if (const auto* number = member->if_double()) return *number;
  if (const auto* number = member->if_int64()) return static_cast<double>(*number);
  if (const auto* number = member->if_uint64()) return static_cast<double>(*number);
  return std::nullopt;
}

std::optional<bool> find_bool(const object& object, std::string_view key) {
  const value* const member = object.if_contains(key);
  if (member == nullptr || !member->is_bool()) return std::nullopt;
  return member->get_bool();
}

std::string_view type_name(const value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_: return "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
  }
  return "unknown";
}

std::size_t text_size(const value& value) {
  constexpr std::size_t of_scalar = 8;
  if (value.is_string()) return value.get_string().size() + 2;
  if (const auto* object = value.if_object()) return text_size(*object);
  if (const auto* list = value.if_array()) return text_size(*list);
  return of_scalar;
}

std::size_t text_size(const array& list) {
  std::size_t size = 2;
  for (const auto& item : list) size += text_size(item) + 1;
  return size;
}

std::size_t text_size(const object& object) {
  std::size_t size = 2;
  for (const auto& [key, value] : object) size += key.size() + 4 + text_size(value);
  return size;
}

}  // namespace gantry::json
