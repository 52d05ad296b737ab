// SPDX-License-Identifier: Apache-2.0
//
// Formats an amount, needed or available, for messages to operators. The text has up to 12 significant digits, so
// integers below 10^12 are exact.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace filter_driver {

inline std::string amount(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

}  // namespace filter_driver
