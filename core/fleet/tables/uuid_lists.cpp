// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/uuid_lists.hpp"

#include <algorithm>

namespace gantry::fleet {

namespace {

constexpr std::uint32_t tolerated_waste = 4096;

}  // namespace

void UuidLists::resize(std::uint32_t rows) {
  for (std::size_t row = rows; row < room_.size(); ++row) held_ -= room_[row];
  room_.resize(rows, 0);
}

void UuidLists::set(ColumnStorage& slices, std::uint32_t row, std::span<const gantry_uuid> uuids) {
  const auto count = static_cast<std::uint32_t>(uuids.size());
  gantry_slice slice = slices.at<gantry_slice>(row);
  if (count > room_[row]) {
    // A list that is set for the first time is often never changed again; one that grows will grow once more.
    const std::uint32_t room = room_[row] == 0 ? count : count + count / 4 + 2;
    elements_.reserve((static_cast<std::size_t>(end_) + room) * sizeof(gantry_uuid));
    slice.begin = end_;
    end_ += room;
    held_ += room - room_[row];
    room_[row] = room;
  }
  slice.count = count;
  std::copy(uuids.begin(), uuids.end(), elements_.as<gantry_uuid>() + slice.begin);
  slices.set_slice(row, slice);
}

void UuidLists::compact(ColumnStorage& slices) {
  if (end_ - held_ <= tolerated_waste || end_ - held_ <= end_ / 2) return;
  AlignedBuffer packed;
  packed.reserve(held_ * sizeof(gantry_uuid));
  std::uint32_t at = 0;
  for (std::uint32_t row = 0; row < room_.size(); ++row) {
    gantry_slice slice = slices.at<gantry_slice>(row);
    std::copy_n(elements_.as<gantry_uuid>() + slice.begin, slice.count, packed.as<gantry_uuid>() + at);
    slice.begin = at;
    slices.set_slice(row, slice);
    room_[row] = slice.count;
    at += slice.count;
  }
  end_ = held_ = at;
  elements_ = std::move(packed);
}

std::span<const gantry_uuid> UuidLists::list(const ColumnStorage& slices, std::uint32_t row) const {
  const auto slice = slices.at<gantry_slice>(row);
  return {elements_.as<gantry_uuid>() + slice.begin, slice.count};
}

}  // namespace gantry::fleet
