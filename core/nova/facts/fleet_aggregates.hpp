// SPDX-License-Identifier: Apache-2.0
//
// The aggregates, as the fleet is to show them: what the API database says, and on top what casts have said since. A cast
// holds until a refresh that began after the cast has read the database.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/nova/request/lookups.hpp"

namespace gantry::nova {

// Used by one thread at a time.
class FleetAggregates {
 public:
  using Clock = std::chrono::steady_clock;

  // The fleet outlives the object.
  explicit FleetAggregates(fleet::Fleet& fleet) : fleet_(fleet) {}

  // Puts the facts of a refresh that began at `begun`.
  void apply(const ApiFacts& facts, Clock::time_point begun);

  // Takes what a cast of `now` says.
  void cast_present(const fleet::Aggregate& aggregate, Clock::time_point now);
  void cast_gone(std::int64_t id, Clock::time_point now);

  // Returns the aggregates of the database, in the order of their ids.
  std::shared_ptr<const std::vector<AggregateFacts>> list();

 private:
  void show(std::int64_t id);

  fleet::Fleet& fleet_;
  std::map<std::int64_t, fleet::Aggregate> known_;  // as the database has them
  std::map<std::int64_t, Clock::time_point> casts_;
  std::shared_ptr<const std::vector<AggregateFacts>> list_;  // nullptr: to be made
};

}  // namespace gantry::nova
