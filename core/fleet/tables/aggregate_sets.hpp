// SPDX-License-Identifier: Apache-2.0
//
// Aggregates as a view shows them: the list of all, in order of id, and the distinct sets of aggregates that hosts are
// in. Changes under the fleet's lock. A copy reads the arrays up to the count that it took; that part never changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/records/records.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// The aggregates and their sets under one version.
class AggregateList {
 public:
  explicit AggregateList(const std::map<std::int64_t, Aggregate>& aggregates);

  const std::vector<gantry_aggregate>& items() const { return items_; }
  std::uint32_t index_of(std::int64_t id) const;

 private:
  std::vector<std::string> texts_;
  std::vector<gantry_pair> pairs_;
  std::vector<gantry_aggregate> items_;
};

// Arrays of one length. Longer ones replace them as sets are added.
struct SetArrays {
  std::vector<gantry_slice> slices;
  std::vector<std::uint32_t> elements;
  std::uint64_t version = 0;
};

class AggregateSets {
 public:
  AggregateSets();

  // Returns the code of a set of ids, given in rising order. Code 0 is the empty set.
  std::uint32_t code_of(const std::vector<std::int64_t>& ids);
  // Call after an aggregate was put or removed. Codes stay, the version changes: answers about a set may differ now.
  // The hosts of a removed aggregate must have left it before.
  void renew(const std::map<std::int64_t, Aggregate>& aggregates);

  std::shared_ptr<const AggregateList> list() const { return list_; }
  std::shared_ptr<const SetArrays> arrays() const { return arrays_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(sets_.size()); }

 private:
  void append(SetArrays& arrays, const std::vector<std::int64_t>& ids) const;

  std::shared_ptr<const AggregateList> list_;
  std::shared_ptr<const SetArrays> arrays_;
  std::vector<std::vector<std::int64_t>> sets_;
  std::map<std::vector<std::int64_t>, std::uint32_t> codes_;
};

}  // namespace gantry::fleet
