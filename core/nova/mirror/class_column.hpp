// SPDX-License-Identifier: Apache-2.0
//
// The inventories of one resource class, by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/nova/mirror/provider_facts.hpp"
#include "core/nova/mirror/row_set.hpp"

namespace gantry::nova {

class ClassColumn {
 public:
  void resize(std::size_t rows);
  void put(std::size_t row, const InventoryFact& inventory);
  void clear(std::size_t row);

  // The rows that the database finds for an amount: it fits, lies within the least and the most, and is a multiple of
  // the step.
  RowSet find(std::int64_t amount) const;
  // Whether the amount, put together from several groups, stays within capacity and the most by Python's arithmetic.
  bool is_within(std::size_t row, std::int64_t amount) const { return amount <= python_room_[row]; }
  // The most for which is_within() holds. -1: none.
  std::int64_t most(std::size_t row) const { return python_room_[row]; }
  // Whether a row that find() returns may be outside by Python's arithmetic.
  bool differs() const { return differing_ > 0; }

 private:
  void count(std::size_t row, std::int64_t change);

  // The greatest amounts by the arithmetic of the database and of Python. -1: the provider has no such inventory.
  std::vector<std::int64_t> room_;
  std::vector<std::int64_t> python_room_;
  std::vector<std::int64_t> least_;
  std::vector<std::int64_t> step_;
  std::int64_t limited_ = 0;    // rows whose least or step is not 1
  std::int64_t differing_ = 0;  // rows whose rooms differ
};

}  // namespace gantry::nova
