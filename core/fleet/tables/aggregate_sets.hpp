// SPDX-License-Identifier: Apache-2.0
//
// Aggregates as a view shows them: the list of all aggregates, and the distinct sets of aggregates that hosts are in. A
// host's cell holds the code of its set. The caller holds the fleet's lock for each call. Copies of the table share the
// list and the arrays, which never change: a change makes new ones.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/cells/dictionary.hpp"
#include "core/fleet/records/records.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// All aggregates in order of id, in the form of the ABI. Immutable.
class AggregateList {
 public:
  explicit AggregateList(const std::map<std::int64_t, Aggregate>& aggregates);

  using Items = std::vector<gantry_aggregate, CellAllocator<gantry_aggregate>>;
  const Items& items() const { return items_; }
  // Returns the index in items() of the first aggregate whose id is `id` or higher. items().size() if there is none.
  std::uint32_t index_of(std::int64_t id) const;

 private:
  TextBlocks texts_;
  std::vector<gantry_pair, CellAllocator<gantry_pair>> pairs_;
  Items items_;
};

// The sets by code: slices[code] is the part of `elements` that holds the set. An element is an index into
// AggregateList::items(). Each added set makes longer arrays, which replace these.
struct SetArrays {
  std::vector<gantry_slice, CellAllocator<gantry_slice>> slices;
  std::vector<std::uint32_t, CellAllocator<std::uint32_t>> elements;
  std::uint64_t version = 0;
};

// Gives each distinct set of aggregates a code.
class AggregateSets {
 public:
  AggregateSets();

  // Returns the code of a set of aggregate ids, given in ascending order. A new set gets a code that is free, under a new
  // version, or a further one. Code 0 is the empty set.
  std::uint32_t code_of(const std::vector<std::int64_t>& ids);
  // Call after an aggregate was added, changed or removed. The codes stay, but those of sets with a removed aggregate are
  // free from now on. The version changes, since answers about a set may differ now. The hosts of a removed aggregate
  // must have left the aggregate before.
  void renew(const std::map<std::int64_t, Aggregate>& aggregates);

  std::shared_ptr<const AggregateList> list() const { return list_; }
  std::shared_ptr<const SetArrays> arrays() const { return arrays_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(sets_.size()); }

 private:
  gantry_slice append(SetArrays& arrays, const std::vector<std::int64_t>& ids) const;
  void free_codes(const std::map<std::int64_t, Aggregate>& aggregates);

  std::shared_ptr<const AggregateList> list_;
  std::shared_ptr<const SetArrays> arrays_;
  std::vector<std::vector<std::int64_t>> sets_;
  std::map<std::vector<std::int64_t>, std::uint32_t> codes_;
  std::vector<std::uint32_t> free_codes_;  // the sets at these codes are empty
};

}  // namespace gantry::fleet
