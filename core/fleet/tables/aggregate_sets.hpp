// SPDX-License-Identifier: Apache-2.0
//
// Aggregates as a view shows them: the list of all aggregates, and the distinct sets of aggregates that hosts are in. A
// host's cell holds the code of its set. The caller holds the fleet's lock for each call. Copies of the table share the
// list and the arrays: what a copy has read of them never changes. Any number of changes costs one new list, when the
// list is next taken.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/records/records.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// One aggregate in the form of the ABI, with the texts that it points to. Immutable.
class ShownAggregate {
 public:
  explicit ShownAggregate(const Aggregate& aggregate);
  const gantry_aggregate& item() const { return item_; }

 private:
  std::unique_ptr<char[], FreeCells> texts_;
  std::vector<gantry_pair, CellAllocator<gantry_pair>> pairs_;
  gantry_aggregate item_{};
};

// All aggregates in order of id, in the form of the ABI. Immutable. Lists share the aggregates that did not change.
class AggregateList {
 public:
  using Shown = std::map<std::int64_t, std::shared_ptr<const ShownAggregate>>;
  explicit AggregateList(const Shown& aggregates);

  using Items = std::vector<gantry_aggregate, CellAllocator<gantry_aggregate>>;
  const Items& items() const { return items_; }
  // Returns the index in items() of the first aggregate whose id is `id` or higher. items().size() if there is none.
  std::uint32_t index_of(std::int64_t id) const;

 private:
  std::vector<std::shared_ptr<const ShownAggregate>> shown_;
  Items items_;
};

// The sets by code: slices[code] is the part of `elements` that holds the set. An element is an index into
// AggregateList::items(). The arrays have a fixed capacity: new sets are written behind those that copies read, and
// full arrays are replaced by longer ones.
struct SetArrays {
  SetArrays(std::size_t sets, std::size_t room) : slices(sets), elements(room) {}
  std::vector<gantry_slice, CellAllocator<gantry_slice>> slices;
  std::vector<std::uint32_t, CellAllocator<std::uint32_t>> elements;
};

// The sets as a copy of the table shows them.
struct ShownSets {
  std::shared_ptr<const SetArrays> arrays;
  std::uint32_t count = 0;    // number of codes
  std::uint64_t version = 0;  // as gantry_column.dictionary_version
};

// Gives each distinct set of aggregates a code.
class AggregateSets {
 public:
  AggregateSets();

  // Add or change an aggregate, and remove one. Answers about a set may differ then: the version changes.
  void put(const Aggregate& aggregate);
  void remove(std::int64_t id);

  // Returns the code of a set of aggregate ids, given in ascending order, and counts one more use. Code 0 is the empty
  // set, whose uses are not counted.
  std::uint32_t acquire(const std::vector<std::int64_t>& ids);
  // Counts one use less of a code.
  void release(std::uint32_t code);
  // Returns whether enough sets are unused for rebuild() to pay.
  bool wasteful() const;
  // Renumbers the used sets, keeping their order. Returns a list of new codes by old code, with 0 for unused codes.
  std::vector<std::uint32_t> rebuild();
  // Counts the calls of rebuild(): codes of one epoch mean the same.
  std::uint64_t epoch() const { return epoch_; }

  std::shared_ptr<const AggregateList> list();
  ShownSets shown();

 private:
  std::uint32_t add(const std::vector<std::int64_t>& ids, std::uint32_t uses);
  void write(std::uint32_t code);
  void write_all();
  void bring_up_to_date();

  AggregateList::Shown aggregates_;
  std::shared_ptr<const AggregateList> list_;
  std::shared_ptr<SetArrays> arrays_;
  std::size_t written_ = 0;         // number of elements in arrays_
  std::uint32_t written_sets_ = 0;  // number of slices in arrays_
  bool is_list_old_ = true;
  bool is_renumbered_ = true;  // the indices of aggregates have changed
  std::int64_t highest_ = 0;   // the highest id so far
  std::uint64_t version_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<std::vector<std::int64_t>> sets_;  // by code
  std::vector<std::uint32_t> uses_;              // by code
  std::size_t elements_ = 0;                     // number of elements in all sets
  std::size_t unused_elements_ = 0;
  std::uint32_t unused_ = 0;
  std::unordered_multimap<std::size_t, std::uint32_t> codes_;  // by hash
};

}  // namespace gantry::fleet
