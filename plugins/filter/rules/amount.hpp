// SPDX-License-Identifier: Apache-2.0
//
// Formats an amount, needed or available, and a number of hosts, for messages to operators. An amount has up to 12
// significant digits, so integers below 10^12 are exact.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace filter_driver {

inline std::string amount(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "minus infinity" : "infinity";
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

// "1 host", "2 hosts".
inline std::string number_of_hosts(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " host" : " hosts");
}

}  // namespace filter_driver
