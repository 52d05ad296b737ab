// SPDX-License-Identifier: Apache-2.0
//
// How much of something is wanted or there, as an operator reads it: whole numbers to the last digit.
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
