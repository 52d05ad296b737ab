// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/fallbacks.hpp"

namespace gantry::scheduling {

void Fallbacks::note(const std::string& driver, const std::string& fallback, const std::string& failure,
                     TimePoint now) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[driver];
  ++entry.decisions;
  if (failure.empty()) return;
  entry.fallback = fallback;
  entry.failure = failure;
  entry.failed_at = now;
}

std::uint64_t Fallbacks::count(std::string_view driver) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(driver);
  return found == entries_.end() ? 0 : found->second.decisions;
}

std::vector<std::string> Fallbacks::warnings(TimePoint now) const {
  std::vector<std::string> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [driver, entry] : entries_) {
    if (entry.failure.empty() || now - entry.failed_at >= warned) continue;
    all.push_back("driver '" + driver + "' fails, and its fallback '" + entry.fallback +
                  "' decides in its place; the last failure: " + entry.failure);
  }
  return all;
}

}  // namespace gantry::scheduling
