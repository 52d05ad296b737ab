// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/cell_values.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace gantry::fleet {

namespace {

constexpr double two_to_63 = 9223372036854775808.0;

template <class T>
std::optional<T> whole_text(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> exact_integer(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64() && value.get_uint64() <= std::numeric_limits<std::int64_t>::max()) {
    return static_cast<std::int64_t>(value.get_uint64());
  }
  if (value.is_string()) return whole_text<std::int64_t>(value.get_string());
  return std::nullopt;
}

}  // namespace

std::optional<double> f64_of(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  std::optional<double> number;
  if (value->is_double()) number = value->get_double();
  if (value->is_int64()) number = static_cast<double>(value->get_int64());
  if (value->is_uint64()) number = static_cast<double>(value->get_uint64());
  if (value->is_string()) number = whole_text<double>(value->get_string());
  if (number && !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> floor_of(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto exact = exact_integer(*value)) return exact;
  const auto number = f64_of(value);
  if (!number || *number < -two_to_63 || *number >= two_to_63) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(*number));
}

std::optional<std::int64_t> i64_of(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto exact = exact_integer(*value)) return exact;
  const auto number = f64_of(value);
  if (!number || std::floor(*number) != *number) return std::nullopt;
  return floor_of(value);
}

std::optional<bool> bool_of(const json::value* value) {
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

std::optional<std::string_view> text_of(const json::value* value) {
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

json::value parsed_value(std::string_view text) {
  auto parsed = json::parse(text);
  return parsed ? std::move(*parsed) : json::value();
}

json::object parsed_object(std::string_view text) {
  if (text.empty()) return {};
  auto parsed = json::parse_object(text);
  return parsed ? std::move(*parsed) : json::object();
}

}  // namespace gantry::fleet
