// SPDX-License-Identifier: Apache-2.0
//
// Reads one column of a view, row by row.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/fleet/fleet.hpp"

namespace gantry::scheduling {

// A column that is missing, or of another type, has no values.
class ViewCells {
 public:
  ViewCells(const fleet::Moment& moment, const gantry_view& view, std::string_view name)
      : column_(moment.column(view, name)) {}

  bool truth(std::uint32_t row) const {
    return has(row, GANTRY_TYPE_BOOL) && has_bit(static_cast<const std::uint64_t*>(column_->values), row);
  }
  // NaN: the row has no value.
  double number(std::uint32_t row) const {
    if (has(row, GANTRY_TYPE_I64)) return static_cast<double>(static_cast<const std::int64_t*>(column_->values)[row]);
    if (has(row, GANTRY_TYPE_F64)) return static_cast<const double*>(column_->values)[row];
    return std::nan("");
  }
  double number_or_zero(std::uint32_t row) const {
    const double value = number(row);
    return std::isnan(value) ? 0 : value;
  }
  // How many instances or aggregates the row lists.
  std::uint64_t items(std::uint32_t row) const {
    return has(row, GANTRY_TYPE_UUIDS) ? static_cast<const gantry_slice*>(column_->values)[row].count : 0;
  }

 private:
  static bool has_bit(const std::uint64_t* bitmap, std::uint32_t row) {
    return ((bitmap[row / 64] >> (row % 64)) & 1U) != 0;
  }
  bool has(std::uint32_t row, std::int32_t type) const {
    return column_ != nullptr && column_->type == type &&
           (column_->validity == nullptr || has_bit(column_->validity, row));
  }

  const gantry_column* column_;
};

}  // namespace gantry::scheduling
