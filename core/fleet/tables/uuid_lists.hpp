// SPDX-License-Identifier: Apache-2.0
//
// The elements that one copy's UUIDS column points into. Each list has a little spare capacity. A list that outgrows
// its capacity moves to the end. Changes only while the copy is not pinned.
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
  void set(ColumnStorage& slices, std::uint32_t row, std::span<const gantry_uuid> uuids);
  // Moves all lists together if more than half of the memory is not in use.
  void compact(ColumnStorage& slices);
  void reserve(std::size_t uuids) { elements_.reserve(uuids * sizeof(gantry_uuid)); }

  const gantry_uuid* elements() const { return elements_.as<gantry_uuid>(); }
  std::span<const gantry_uuid> list(const ColumnStorage& slices, std::uint32_t row) const;

 private:
  AlignedBuffer elements_;
  std::vector<std::uint32_t> room_;  // of each row's list
  std::uint32_t end_ = 0;
  std::uint32_t held_ = 0;  // sum of room_
};

}  // namespace gantry::fleet
