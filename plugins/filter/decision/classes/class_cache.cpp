// SPDX-License-Identifier: Apache-2.0
#include "decision/classes/class_cache.hpp"

#include <algorithm>
#include <utility>

namespace filter_driver {

namespace {

constexpr std::size_t most_classes = 1024;

}  // namespace

class_cache::taken class_cache::take(const std::string& key, std::size_t bytes) {
  if (bytes > most_bytes_) return {};
  const std::lock_guard lock(mutex_);
  auto known = by_key_.find(key);
  if (known == by_key_.end()) {
    auto& added = entries_.emplace_front();
    added.key = key;
    known = by_key_.emplace(added.key, entries_.begin()).first;
    forget_surplus();
  }
  entries_.splice(entries_.begin(), entries_, known->second);
  auto& asked = *known->second;
  if (asked.waits > 0) {
    --asked.waits;
    return {};
  }
  if (asked.idle.empty()) return {nullptr, true};
  auto kept = std::move(asked.idle.back());
  asked.idle.pop_back();
  bytes_ -= kept->bytes();
  return {std::move(kept), true};
}

void class_cache::put(const std::string& key, std::unique_ptr<kept_class> kept) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return;
  bytes_ += kept->bytes();
  known->second->idle.push_back(std::move(kept));
  forget_surplus();
}

void class_cache::spoil(const std::string& key, const kept_class& kept) {
  constexpr unsigned most_doublings = 10;
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return;
  auto& asked = *known->second;
  asked.in_vain = kept.uses > 0 ? 0 : std::min(asked.in_vain + 1, most_doublings);
  asked.waits = (std::uint64_t{1} << asked.in_vain) - 1;
}

void class_cache::forget_surplus() {
  while (!entries_.empty() && (bytes_ > most_bytes_ || entries_.size() > most_classes)) {
    auto& oldest = entries_.back();
    for (const auto& each : oldest.idle) bytes_ -= each->bytes();
    by_key_.erase(oldest.key);
    entries_.pop_back();
  }
}

}  // namespace filter_driver
