// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/class_column.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::nova {

namespace {

constexpr std::int64_t no_room = -1;
constexpr double far_beyond_amounts = 1e18;  // a capacity; max_unit is a 4-byte number

// The greatest amount for which used + amount <= (total - reserved) * ratio holds.
std::int64_t room_at(const InventoryFact& inventory, double ratio) {
  const double capacity = static_cast<double>(inventory.total - inventory.reserved) * ratio;
  const double whole = std::floor(std::clamp(capacity, -far_beyond_amounts, far_beyond_amounts));
  const auto room = std::min(static_cast<std::int64_t>(whole) - inventory.used, inventory.max_unit);
  return std::max(room, std::int64_t{0});
}

}  // namespace

void ClassColumn::resize(std::size_t rows) {
  room_.resize(rows, no_room);
  python_room_.resize(rows, no_room);
  least_.resize(rows, 1);
  step_.resize(rows, 1);
}

void ClassColumn::put(std::size_t row, const InventoryFact& inventory) {
  count(row, -1);
  room_[row] = room_at(inventory, inventory.stored_ratio);
  python_room_[row] = room_at(inventory, inventory.allocation_ratio);
  least_[row] = inventory.min_unit;
  step_[row] = inventory.step_size;
  if (inventory.step_size < 1) room_[row] = 0;  // a remainder by 0 is NULL: no amount fits
  count(row, 1);
}

void ClassColumn::clear(std::size_t row) {
  count(row, -1);
  room_[row] = python_room_[row] = no_room;
  least_[row] = step_[row] = 1;
}

void ClassColumn::count(std::size_t row, std::int64_t change) {
  if (least_[row] > 1 || step_[row] != 1) limited_ += change;
  if (room_[row] != python_room_[row]) differing_ += change;
}

RowSet ClassColumn::find(std::int64_t amount) const {
  RowSet found(room_.size());
  const std::int64_t* const room = room_.data();
  for (std::size_t begin = 0, at = 0; begin < room_.size(); begin += RowSet::word_bits, ++at) {
    const auto end = std::min(begin + RowSet::word_bits, room_.size());
    RowSet::Word word = 0;
    for (std::size_t row = begin; row < end; ++row)
      word |= static_cast<RowSet::Word>(room[row] >= amount) << (row - begin);
    found.words()[at] = word;
  }
  if (limited_ > 0) {
    found.each([&](std::size_t row) {
      if (amount < least_[row] || amount % step_[row] != 0) found.erase(row);
    });
  }
  return found;
}

}  // namespace gantry::nova
