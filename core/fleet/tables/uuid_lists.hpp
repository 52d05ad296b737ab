// SPDX-License-Identifier: Apache-2.0
//
// The lists of one copy's UUIDS column, one for each row, in one array. A cell of the column is a slice of the array. A
// list that grows gets a little spare capacity, and moves to the end of the array when it outgrows its capacity.
// Changes only while the copy is not pinned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/fleet/cells/aligned_buffer.hpp"
#include "core/fleet/cells/column_storage.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

class UuidLists {
 public:
  void resize(std::uint32_t rows);
  // Sets the list of a row and the row's cell in `slices`, the UUIDS column.
  void set(ColumnStorage& slices, std::uint32_t row, std::span<const gantry_uuid> uuids);
  // Closes the gaps between the lists if they are more than half of a large array.
  void compact(ColumnStorage& slices);
  void reserve(std::size_t uuids) { elements_.reserve(uuids * sizeof(gantry_uuid)); }

  const gantry_uuid* elements() const { return elements_.as<gantry_uuid>(); }
  std::span<const gantry_uuid> list(const ColumnStorage& slices, std::uint32_t row) const;

 private:
  AlignedBuffer elements_;
  std::vector<std::uint32_t> room_;  // capacity of each row's list, in UUIDs
  std::uint32_t end_ = 0;            // end of the last list in the array
  std::uint32_t held_ = 0;           // sum of room_
};

}  // namespace gantry::fleet
