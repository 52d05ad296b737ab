// SPDX-License-Identifier: Apache-2.0
#include "nova/aggregate_values.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "python/blanks.hpp"
#include "python/python_number.hpp"
#include "python/python_value.hpp"

namespace filter_driver {
namespace {

std::optional<boost::json::value> read(const std::string& text, number_kind kind) {
  if (kind == number_kind::whole) {
    const outcome<boost::json::value> number = int_of(text);
    return number.ok() ? std::optional(number.value()) : std::nullopt;
  }
  const outcome<double> number = float_of(text);
  return number.ok() ? std::optional(boost::json::value(number.value())) : std::nullopt;
}

}  // namespace

boost::json::value least_number(std::span<const std::string> values, number_kind kind,
                                const boost::json::value& fallback, release release) {
  if (values.empty()) return fallback;
  if (!release->compares_aggregate_numbers)
    return read(*std::min_element(values.begin(), values.end()), kind).value_or(fallback);
  std::optional<boost::json::value> least;
  for (const std::string& value : values) {
    std::optional<boost::json::value> number = read(value, kind);
    if (!number) return fallback;
    if (!least || std::is_lt(compare_numbers(*number, *least))) least = std::move(number);
  }
  return *least;
}

}  // namespace filter_driver
