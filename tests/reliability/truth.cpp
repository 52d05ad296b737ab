// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/truth.hpp"

#include <chrono>

namespace gantry::reliability {

void Truth::begin(std::map<std::string, std::size_t> slots) {
  const std::lock_guard lock(mutex_);
  slots_ = std::move(slots);
  counts_.clear();
  entries_.clear();
}

void Truth::holds(const Holder& holder, const std::string& host) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[holder.uuid];
  entry.holder = holder;
  if (!entry.hosts.insert(host).second) return;
  const auto count = ++counts_[host];
  if (count > slots_[host]) {
    over_limits_.push_back("host " + host + " has " + std::to_string(slots_[host]) + " slots and " +
                           std::to_string(count) + " who hold one; " + holder.uuid + " was the last");
  }
}

void Truth::remove(const std::string& uuid) {
  const auto found = entries_.find(uuid);
  if (found == entries_.end()) return;
  for (const auto& host : found->second.hosts) --counts_[host];
  entries_.erase(found);
}

void Truth::gives_up(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  remove(uuid);
}

std::optional<Holder> Truth::take_any(bool unlisted, std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  std::vector<Holder> found;
  for (const auto& [uuid, entry] : entries_) {
    if (!entry.is_borrowed && !(unlisted && entry.is_listed)) found.push_back(entry.holder);
  }
  if (found.empty()) return std::nullopt;
  auto holder = found[random() % found.size()];
  remove(holder.uuid);
  return holder;
}

std::optional<Holder> Truth::borrow_any(bool is_instance, std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  std::vector<Entry*> found;
  for (auto& [uuid, entry] : entries_) {
    if (!entry.is_listed && !entry.is_borrowed && entry.holder.is_instance == is_instance) found.push_back(&entry);
  }
  if (found.empty()) return std::nullopt;
  auto& entry = *found[random() % found.size()];
  entry.is_borrowed = true;
  entry.was_borrowed = true;
  return entry.holder;
}

void Truth::give_back(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(uuid); found != entries_.end()) found->second.is_borrowed = false;
}

Truth::Sample Truth::sample(const std::string& host, std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  Sample sample;
  sample.sampled_at = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  for (auto& [uuid, entry] : entries_) {
    if (entry.was_borrowed || !entry.hosts.contains(host)) continue;
    entry.is_listed = entry.is_listed || random() % 3 == 0;
    if (entry.is_listed) sample.uuids.push_back(uuid);
  }
  return sample;
}

std::size_t Truth::holders_of(const std::string& host) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(host);
  return found == counts_.end() ? 0 : found->second;
}

std::size_t Truth::slots_of(const std::string& host) const {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(host);
  return found == slots_.end() ? 0 : found->second;
}

std::size_t Truth::holders() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const auto& [host, count] : counts_) sum += count;
  return sum;
}

std::size_t Truth::slots() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const auto& [host, count] : slots_) sum += count;
  return sum;
}

std::vector<Holder> Truth::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Holder> holders;
  holders.reserve(entries_.size());
  for (const auto& [uuid, entry] : entries_) holders.push_back(entry.holder);
  return holders;
}

}  // namespace gantry::reliability
