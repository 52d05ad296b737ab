// SPDX-License-Identifier: Apache-2.0
#include "classes/class_cache.hpp"

#include <utility>

namespace filter_driver {

namespace {

constexpr std::size_t most_classes = 1024;

}  // namespace

class_cache::taken class_cache::take(const std::string& key, std::size_t bytes) {
  if (bytes > most_bytes_) return {};
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) {
    auto& added = entries_.emplace_front();
    added.key = key;
    by_key_.emplace(added.key, entries_.begin());
    forget_surplus();
    return {};
  }
  entries_.splice(entries_.begin(), entries_, known->second);
  auto& idle = known->second->idle;
  if (idle.empty()) return {nullptr, true};
  auto kept = std::move(idle.back());
  idle.pop_back();
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

void class_cache::forget_surplus() {
  while (!entries_.empty() && (bytes_ > most_bytes_ || entries_.size() > most_classes)) {
    auto& oldest = entries_.back();
    for (const auto& each : oldest.idle) bytes_ -= each->bytes();
    by_key_.erase(oldest.key);
    entries_.pop_back();
  }
}

}  // namespace filter_driver
