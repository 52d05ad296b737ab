// SPDX-License-Identifier: Apache-2.0
//
// The cells of one column, as driver.h lays them out: an array of values and a validity bitmap, 64-byte aligned and
// readable up to the next multiple of 64 rows. A STRING cell holds a code of a Dictionary, a SET cell a code of
// AggregateSets, a UUIDS cell a slice of UuidLists. Under the fleet's lock, unless the column belongs to a pinned copy.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/fleet/cells/aligned_buffer.hpp"
#include "core/fleet/cells/interned_text.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

class ColumnStorage {
 public:
  // `type` is one of GANTRY_TYPE_*. Without `nullable` there is no validity bitmap, and every row has a value.
  ColumnStorage(std::int32_t type, bool nullable);

  std::int32_t type() const { return type_; }
  std::uint32_t rows() const { return rows_; }
  const void* values() const { return values_.data(); }
  // Returns the bitmap of the rows that have a value. nullptr if every row has one.
  const std::uint64_t* validity() const { return nulls_ != 0 ? validity_.as<std::uint64_t>() : nullptr; }

  // Sets the number of rows. New rows are null, or zero if the column is not nullable.
  void resize(std::uint32_t rows);
  void copy_cell(const ColumnStorage& from, std::uint32_t from_row, std::uint32_t to_row);
  // Makes all rows and cells equal to those of `from`.
  void copy_all(const ColumnStorage& from);

  // Returns whether the row has a value.
  bool valid(std::uint32_t row) const;
  template <class T>
  const T& at(std::uint32_t row) const {
    return values_.as<T>()[row];
  }
  bool bit(std::uint32_t row) const;                      // BOOL
  std::optional<double> number(std::uint32_t row) const;  // F64

  // Return whether the cell changed. nullopt and nullptr make the cell null.
  bool set_bool(std::uint32_t row, std::optional<bool> value);
  bool set_i64(std::uint32_t row, std::optional<std::int64_t> value);
  bool set_f64(std::uint32_t row, std::optional<double> value);
  bool set_code(std::uint32_t row, std::optional<std::uint32_t> code);
  bool set_json(std::uint32_t row, TextPointer text);
  void set_slice(std::uint32_t row, gantry_slice slice);

  // For a JSON column. Returns the text of a cell. nullptr if the cell is null.
  const TextPointer& text(std::uint32_t row) const { return texts_[row]; }
  // For a STRING or SET column. Replaces the code c of each cell by codes[c].
  void recode(const std::vector<std::uint32_t>& codes);

 private:
  template <class T>
  bool set_value(std::uint32_t row, const std::optional<T>& value);
  bool set_valid(std::uint32_t row, bool valid);
  void resize_validity(std::uint32_t rows);
  std::size_t bytes_of(std::uint32_t rows) const;

  std::int32_t type_;
  bool nullable_;
  std::uint32_t rows_ = 0;
  std::uint32_t nulls_ = 0;  // number of rows without a value
  AlignedBuffer values_;
  AlignedBuffer validity_;
  std::vector<TextPointer> texts_;  // JSON only: keeps alive what values_ points to
};

}  // namespace gantry::fleet
