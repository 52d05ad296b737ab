// SPDX-License-Identifier: Apache-2.0
//
// Facts that several rules read from a request or a host, as Nova's rules read them.
#pragma once

#include <gantry/offers.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace operators {

// Returns the value of a hint that has exactly one.
inline std::optional<std::string_view> only_hint(const gantry::request& request, std::string_view key) {
  const auto values = request.hint(key);
  return values.size() == 1 ? std::optional(gantry::text(values[0])) : std::nullopt;
}

// Returns whether the instance is moved, or stays, for this reason: resize, live_migrate or rebuild.
inline bool moves_by(const gantry::request& request, std::string_view reason) {
  return only_hint(request, "_nova_check_type") == reason;
}

inline bool requires_trait(const gantry::request& request, std::string_view spec) {
  return request.extra_spec(spec) == "required";
}

// Reads a whole text as a number of type Number.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = {};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Returns the first row of a host. nullopt: the view has none.
inline std::optional<std::uint32_t> row_of(const gantry::view& view, std::string_view host) {
  const gantry::text_column hosts = view.texts("host");
  const auto code = hosts.code_of(host);
  for (std::uint32_t row = 0; code && row < view.rows(); ++row) {
    if (hosts.has(row) && hosts.codes()[row] == *code) return row;
  }
  return std::nullopt;
}

// Returns the value of the first aggregate of a row that has the key in its metadata. Empty: none has.
inline std::string_view aggregate_value(const gantry::view& view, std::uint32_t row, std::string_view key) {
  for (const std::uint32_t index : view.sets("aggregates")[row]) {
    for (const gantry_pair& pair : gantry::each(view.aggregate(index).metadata)) {
      if (gantry::text(pair.key) == key) return gantry::text(pair.value);
    }
  }
  return {};
}

}  // namespace operators
