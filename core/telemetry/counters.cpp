// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/counters.hpp"

#include <mutex>

namespace gantry::telemetry {

namespace {

// Drivers name counters at will; a name made from request data must not eat the memory.
constexpr std::size_t max_counters = 1000;

}  // namespace

std::string_view Counters::owner_of(const KeyView& key) {
  return key.first.starts_with("driver.") ? key.second : std::string_view();
}

void Counters::add(std::string_view name, std::string_view label, std::uint64_t amount) {
  const KeyView key(name, label);
  {
    const std::shared_lock lock(mutex_);
    const auto found = values_.find(key);
    if (found != values_.end()) {
      found->second.fetch_add(amount, std::memory_order_relaxed);
      return;
    }
  }
  const std::unique_lock lock(mutex_);
  auto found = values_.find(key);
  if (found == values_.end()) {
    auto& made = made_[std::string(owner_of(key))];
    if (made >= max_counters) return;
    ++made;
    found = values_.try_emplace(Key(name, label), 0).first;
  }
  found->second.fetch_add(amount, std::memory_order_relaxed);
}

std::vector<Counters::Entry> Counters::list() const {
  const std::shared_lock lock(mutex_);
  std::vector<Entry> entries;
  entries.reserve(values_.size());
  for (const auto& [key, counter] : values_) {
    entries.push_back({key.first, key.second, counter.load(std::memory_order_relaxed)});
  }
  return entries;
}

}  // namespace gantry::telemetry
