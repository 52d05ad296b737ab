// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/aggregate_sets.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <cassert>
#include <utility>

#include "core/fleet/cells/interned_text.hpp"

namespace gantry::fleet {

namespace {

constexpr std::uint32_t tolerated_unused = 1024;
constexpr std::size_t tolerated_unused_elements = 65'536;

}  // namespace

ShownAggregate::ShownAggregate(const Aggregate& aggregate) {
  std::size_t size = aggregate.uuid.size() + aggregate.name.size();
  for (const auto& [key, value] : aggregate.metadata) size += key.size() + value.size();
  texts_.reset(static_cast<char*>(allocate_cells(std::max<std::size_t>(size, 1), 1)));
  char* end = texts_.get();
  const auto keep = [&end](const std::string& text) {
    end = std::copy(text.begin(), text.end(), end);
    return gantry_string{end - text.size(), text.size()};
  };
  item_.id = aggregate.id;
  item_.uuid = keep(aggregate.uuid);
  item_.name = keep(aggregate.name);
  pairs_.reserve(aggregate.metadata.size());
  for (const auto& [key, value] : aggregate.metadata) {
    const auto kept_key = keep(key);
    pairs_.push_back({kept_key, keep(value)});
  }
  item_.metadata = {pairs_.data(), pairs_.size()};
}

AggregateList::AggregateList(const Shown& aggregates) {
  shown_.reserve(aggregates.size());
  items_.reserve(aggregates.size());
  for (const auto& [id, shown] : aggregates) {
    shown_.push_back(shown);
    items_.push_back(shown->item());
  }
}

std::uint32_t AggregateList::index_of(std::int64_t id) const {
  const auto at = std::lower_bound(items_.begin(), items_.end(), id,
                                   [](const gantry_aggregate& item, std::int64_t wanted) { return item.id < wanted; });
  return static_cast<std::uint32_t>(at - items_.begin());
}

AggregateSets::AggregateSets() {
  add({}, 1);
}

void AggregateSets::put(const Aggregate& aggregate) {
  auto& shown = aggregates_[aggregate.id];
  // Behind all others it leaves their indices as they are, and no set that is written has been without it.
  if (shown == nullptr && aggregate.id <= highest_) is_renumbered_ = true;
  highest_ = std::max(highest_, aggregate.id);
  shown = std::make_shared<const ShownAggregate>(aggregate);
  is_list_old_ = true;
}

void AggregateSets::remove(std::int64_t id) {
  if (aggregates_.erase(id) != 0) is_list_old_ = is_renumbered_ = true;
}

std::uint32_t AggregateSets::acquire(const std::vector<std::int64_t>& ids) {
  if (ids.empty()) return 0;
  const auto [begin, end] = codes_.equal_range(boost::hash_range(ids.begin(), ids.end()));
  for (auto at = begin; at != end; ++at) {
    const auto code = at->second;
    if (sets_[code] != ids) continue;
    if (uses_[code]++ == 0) {
      --unused_;
      unused_elements_ -= ids.size();
    }
    return code;
  }
  return add(ids, 1);
}

std::uint32_t AggregateSets::add(const std::vector<std::int64_t>& ids, std::uint32_t uses) {
  const auto code = static_cast<std::uint32_t>(sets_.size());
  sets_.push_back(ids);
  uses_.push_back(uses);
  codes_.emplace(boost::hash_range(ids.begin(), ids.end()), code);
  elements_ += ids.size();
  return code;
}

void AggregateSets::release(std::uint32_t code) {
  if (code == 0) return;
  assert(uses_[code] > 0);
  if (--uses_[code] != 0) return;
  ++unused_;
  unused_elements_ += sets_[code].size();
}

bool AggregateSets::wasteful() const {
  return (unused_ > tolerated_unused && unused_ > sets_.size() / 2) ||
         (unused_elements_ > tolerated_unused_elements && unused_elements_ > elements_ / 2);
}

std::vector<std::uint32_t> AggregateSets::rebuild() {
  const auto old_sets = std::exchange(sets_, {});
  const auto old_uses = std::exchange(uses_, {});
  codes_.clear();
  elements_ = unused_elements_ = 0;
  unused_ = 0;
  is_renumbered_ = true;
  ++epoch_;
  std::vector<std::uint32_t> codes(old_sets.size(), 0);
  add({}, 1);
  for (std::uint32_t code = 1; code < old_sets.size(); ++code) {
    if (old_uses[code] != 0) codes[code] = add(old_sets[code], old_uses[code]);
  }
  return codes;
}

// The arrays have room for the set.
void AggregateSets::write(std::uint32_t code) {
  gantry_slice slice{static_cast<std::uint32_t>(written_), 0};
  for (const auto id : sets_[code]) {
    const auto index = list_->index_of(id);
    // Recorded facts that were damaged may name an aggregate that is not there, and so do sets that are not used.
    if (index == list_->items().size() || list_->items()[index].id != id) continue;
    arrays_->elements[written_++] = index;
    ++slice.count;
  }
  arrays_->slices[code] = slice;
  written_sets_ = code + 1;
}

void AggregateSets::write_all() {
  constexpr std::size_t least = 16;
  arrays_ = std::make_shared<SetArrays>(std::max(least, sets_.size() * 3 / 2), std::max(least, elements_ * 3 / 2));
  written_ = 0;
  for (std::uint32_t code = 0; code < sets_.size(); ++code) write(code);
}

void AggregateSets::bring_up_to_date() {
  if (is_list_old_) {
    list_ = std::make_shared<AggregateList>(aggregates_);
    version_ = next_version();
  }
  is_list_old_ = false;
  if (is_renumbered_) {
    version_ = next_version();
    write_all();
  }
  is_renumbered_ = false;
  std::size_t wanted = written_;
  for (auto code = written_sets_; code < sets_.size(); ++code) wanted += sets_[code].size();
  if (sets_.size() > arrays_->slices.size() || wanted > arrays_->elements.size()) return write_all();
  for (auto code = written_sets_; code < sets_.size(); ++code) write(code);
}

std::shared_ptr<const AggregateList> AggregateSets::list() {
  bring_up_to_date();
  return list_;
}

ShownSets AggregateSets::shown() {
  bring_up_to_date();
  return {arrays_, written_sets_, version_};
}

}  // namespace gantry::fleet
