// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/aggregate_sets.hpp"

#include <algorithm>

#include "core/fleet/cells/interned_text.hpp"

namespace gantry::fleet {

AggregateList::AggregateList(const std::map<std::int64_t, Aggregate>& aggregates) {
  std::size_t pairs = 0;
  for (const auto& [id, aggregate] : aggregates) pairs += aggregate.metadata.size();
  pairs_.reserve(pairs);
  items_.reserve(aggregates.size());
  const auto keep = [this](const std::string& text) {
    const auto kept = texts_.add(text);
    return gantry_string{kept.data(), kept.size()};
  };
  for (const auto& [id, aggregate] : aggregates) {
    gantry_aggregate item{};
    item.id = id;
    item.uuid = keep(aggregate.uuid);
    item.name = keep(aggregate.name);
    item.metadata = {pairs_.data() + pairs_.size(), aggregate.metadata.size()};
    for (const auto& [key, value] : aggregate.metadata) {
      const auto kept_key = keep(key);
      pairs_.push_back({kept_key, keep(value)});
    }
    // cppcheck-suppress invalidContainer ; pairs_ has reserved all that is kept
    items_.push_back(item);
  }
}

std::uint32_t AggregateList::index_of(std::int64_t id) const {
  const auto at = std::lower_bound(items_.begin(), items_.end(), id,
                                   [](const gantry_aggregate& item, std::int64_t wanted) { return item.id < wanted; });
  return static_cast<std::uint32_t>(at - items_.begin());
}

AggregateSets::AggregateSets() {
  renew({});
}

// Returns the slice of the elements.
gantry_slice AggregateSets::append(SetArrays& arrays, const std::vector<std::int64_t>& ids) const {
  gantry_slice slice{static_cast<std::uint32_t>(arrays.elements.size()), 0};
  for (const auto id : ids) {
    const auto index = list_->index_of(id);
    // Recorded facts that were damaged may name an aggregate that is not there.
    if (index == list_->items().size() || list_->items()[index].id != id) continue;
    arrays.elements.push_back(index);
    ++slice.count;
  }
  return slice;
}

std::uint32_t AggregateSets::code_of(const std::vector<std::int64_t>& ids) {
  if (const auto found = codes_.find(ids); found != codes_.end()) return found->second;
  // Distinct sets are few and seldom come anew, so a whole new array is cheaper than sharing a growing one.
  auto longer = std::make_shared<SetArrays>(*arrays_);
  auto code = count();
  if (free_codes_.empty()) {
    sets_.push_back(ids);
    longer->slices.push_back(append(*longer, ids));
  } else {
    code = free_codes_.back();
    free_codes_.pop_back();
    sets_[code] = ids;
    longer->slices[code] = append(*longer, ids);
    longer->version = next_version();
  }
  codes_.emplace(ids, code);
  arrays_ = std::move(longer);
  return code;
}

void AggregateSets::renew(const std::map<std::int64_t, Aggregate>& aggregates) {
  list_ = std::make_shared<AggregateList>(aggregates);
  auto arrays = std::make_shared<SetArrays>();
  arrays->version = next_version();
  if (sets_.empty()) {
    sets_.emplace_back();
    codes_.emplace(std::vector<std::int64_t>(), 0);
  }
  free_codes(aggregates);
  for (const auto& ids : sets_) arrays->slices.push_back(append(*arrays, ids));
  arrays_ = std::move(arrays);
}

// No host is in a set with an aggregate that is gone.
void AggregateSets::free_codes(const std::map<std::int64_t, Aggregate>& aggregates) {
  const auto is_gone = [&aggregates](std::int64_t id) { return !aggregates.contains(id); };
  for (std::uint32_t code = 1; code < count(); ++code) {
    auto& ids = sets_[code];
    if (std::ranges::none_of(ids, is_gone)) continue;
    codes_.erase(ids);
    ids = {};
    free_codes_.push_back(code);
  }
}

}  // namespace gantry::fleet
