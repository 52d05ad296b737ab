// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fleet_aggregates.hpp"

#include <set>

namespace gantry::nova {

void FleetAggregates::show(std::int64_t id) {
  const auto known = known_.find(id);
  if (known == known_.end())
    fleet_.remove_aggregate(id);
  else
    fleet_.put_aggregate(known->second);
}

void FleetAggregates::apply(const ApiFacts& facts, Clock::time_point begun) {
  std::set<std::int64_t> changed;
  for (const auto id : facts.aggregates_gone) {
    known_.erase(id);
    changed.insert(id);
  }
  for (const auto& aggregate : facts.aggregates) {
    known_.insert_or_assign(aggregate.id, aggregate);
    changed.insert(aggregate.id);
  }
  if (!changed.empty()) list_.reset();
  std::erase_if(casts_, [&](const auto& cast) {
    if (cast.second > begun) return false;
    changed.insert(cast.first);
    return true;
  });
  for (const auto id : changed) {
    if (!casts_.contains(id)) show(id);
  }
}

void FleetAggregates::cast_present(const fleet::Aggregate& aggregate, Clock::time_point now) {
  casts_[aggregate.id] = now;
  fleet_.put_aggregate(aggregate);
}

void FleetAggregates::cast_gone(std::int64_t id, Clock::time_point now) {
  casts_[id] = now;
  fleet_.remove_aggregate(id);
}

std::shared_ptr<const std::vector<AggregateFacts>> FleetAggregates::list() {
  if (list_) return list_;
  std::vector<AggregateFacts> list;
  list.reserve(known_.size());
  for (const auto& [id, aggregate] : known_) list.push_back({aggregate.uuid, aggregate.metadata});
  list_ = std::make_shared<const std::vector<AggregateFacts>>(std::move(list));
  return list_;
}

}  // namespace gantry::nova
