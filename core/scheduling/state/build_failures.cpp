// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/build_failures.hpp"

#include <algorithm>

#include "core/encoding/time.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::size_t most_times = 16;

FailedBuilds counted(const std::pair<std::string, std::string>& key, const std::deque<std::int64_t>& times,
                     std::int64_t now) {
  FailedBuilds failed{key.second, key.first, 0, 0, false};
  for (const auto time : times) {
    if (time <= now - BuildFailures::memory) continue;
    if (failed.count++ == 0) failed.since = time;
  }
  failed.is_avoided = failed.count >= BuildFailures::to_avoid;
  return failed;
}

}  // namespace

void BuildFailures::failed(const std::string& host, const std::vector<std::string>& kinds, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (failures_.size() + kinds.size() > most)
    std::erase_if(failures_, [now](const auto& entry) { return entry.second.back() <= now - memory; });
  for (const auto& kind : kinds) {
    const std::pair key{kind, host};
    if (failures_.size() >= most && !failures_.contains(key)) continue;
    auto& times = failures_[key];
    times.push_back(now);
    if (times.size() > most_times) times.pop_front();
  }
}

void BuildFailures::succeeded(const std::string& host, const std::vector<std::string>& kinds) {
  const std::lock_guard lock(mutex_);
  for (const auto& kind : kinds) failures_.erase({kind, host});
}

std::size_t BuildFailures::clear(const std::string& host) {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  std::erase_if(failures_, [&](const auto& entry) {
    if (entry.first.second != host) return false;
    count += entry.second.size();
    return true;
  });
  return count;
}

std::vector<FailedBuilds> BuildFailures::list(std::int64_t now) const {
  const std::lock_guard lock(mutex_);
  std::vector<FailedBuilds> all;
  for (const auto& [key, times] : failures_)
    if (auto failed = counted(key, times, now); failed.count != 0) all.push_back(std::move(failed));
  return all;
}

std::vector<FailedBuilds> BuildFailures::avoided(const std::vector<std::string>& kinds, std::int64_t now) const {
  const std::lock_guard lock(mutex_);
  std::vector<FailedBuilds> all;
  for (const auto& kind : kinds) {
    for (auto at = failures_.lower_bound({kind, ""}); at != failures_.end() && at->first.first == kind; ++at) {
      auto failed = counted(at->first, at->second, now);
      const auto is_same = [&failed](const FailedBuilds& other) { return other.host == failed.host; };
      if (failed.is_avoided && std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(failed));
    }
  }
  return all;
}

std::vector<std::string> kinds_of_build(const std::string& flavor, const std::string& image) {
  std::vector<std::string> kinds;
  if (!flavor.empty()) kinds.push_back("flavor " + flavor);
  if (!image.empty()) kinds.push_back("image " + image);
  return kinds;
}

std::vector<std::string> kinds_of_build(const fleet::Instance& instance) {
  return kinds_of_build(std::string(json::find_string(instance.flavor, "name").value_or("")), instance.image);
}

std::string sentence_of(const FailedBuilds& failed) {
  constexpr std::size_t most_bytes = 100;
  const auto kind = failed.kind.size() > most_bytes ? failed.kind.substr(0, most_bytes) + "..." : failed.kind;
  const auto since = time_text(failed.since);  // 2026-11-21T09:00:00.000000Z
  return failed.host + " failed " + std::to_string(failed.count) + (failed.count == 1 ? " build" : " builds") + " of " +
         kind + " since " + since.substr(11, 5) + " UTC";
}

}  // namespace gantry::scheduling
