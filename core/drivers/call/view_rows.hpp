// SPDX-License-Identifier: Apache-2.0
//
// Reads a gantry_view: columns by position, bits and values by row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gantry/driver.h"

namespace gantry::drivers {

inline const gantry_column& column_at(const gantry_view& view, std::uint32_t position) {
  const auto* first = reinterpret_cast<const std::byte*>(view.columns);
  return *reinterpret_cast<const gantry_column*>(first + std::size_t{position} * view.column_stride);
}

// Returns the number of 64-bit words in a bitmap with one bit for each row.
inline std::uint64_t bitmap_words(std::uint32_t rows) {
  return (std::uint64_t{rows} + 63) / 64;
}

inline bool bit_at(const std::uint64_t* bitmap, std::uint32_t row) {
  return ((bitmap[row / 64] >> (row % 64)) & 1U) != 0;
}

inline void set_bit(std::uint64_t* bitmap, std::uint32_t row) {
  bitmap[row / 64] |= std::uint64_t{1} << (row % 64);
}

// Clears the bits of the last word that stand for no row.
inline void clear_beyond(std::uint64_t* bitmap, std::uint32_t rows) {
  if (rows % 64 != 0) bitmap[rows / 64] &= (std::uint64_t{1} << (rows % 64)) - 1;
}

// Returns whether the column has a value in the row.
inline bool is_valid(const gantry_column& column, std::uint32_t row) {
  return column.validity == nullptr || bit_at(column.validity, row);
}

// Returns the text of a row of a STRING column. Requires that the row has a value.
inline gantry_string string_at(const gantry_column& column, std::uint32_t row) {
  const auto code = static_cast<const std::uint32_t*>(column.values)[row];
  return static_cast<const gantry_string*>(column.dictionary)[code];
}

// Returns the size in bytes of one row's value, for a GANTRY_TYPE_*. 0 for BOOL, whose values are a bitmap, and for an
// unknown type.
inline std::uint64_t value_size(std::int32_t type) {
  switch (type) {
    case GANTRY_TYPE_I64:
    case GANTRY_TYPE_F64: return sizeof(std::int64_t);
    case GANTRY_TYPE_STRING:
    case GANTRY_TYPE_SET: return sizeof(std::uint32_t);
    case GANTRY_TYPE_JSON: return sizeof(gantry_json);
    case GANTRY_TYPE_UUIDS: return sizeof(gantry_slice);
    default: return 0;
  }
}

}  // namespace gantry::drivers
