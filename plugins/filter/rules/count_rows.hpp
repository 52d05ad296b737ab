// SPDX-License-Identifier: Apache-2.0
//
// Counts the rows of a bitmap.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <span>

namespace filter_driver {

inline std::uint64_t count_rows(std::span<const std::uint64_t> bitmap) {
  std::uint64_t rows = 0;
  for (const auto word : bitmap) rows += gantry::count_bits(word);
  return rows;
}

}  // namespace filter_driver
