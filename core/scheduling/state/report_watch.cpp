// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/report_watch.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/fleet/records/later_by.hpp"

namespace gantry::scheduling {

namespace {

constexpr fleet::Nanoseconds second = 1'000'000'000;
constexpr fleet::Nanoseconds remembered = 3600 * second;  // an earlier identity
constexpr fleet::Nanoseconds warned = 600 * second;       // the age at which a warning ends
constexpr std::size_t most_earlier = 4;
constexpr std::size_t most_names = 10'000;
constexpr std::size_t most_shown = 3;

std::string identity_of(const json::object& stats) {
  const auto uuid = json::find_string(stats, "uuid").value_or("");
  const auto host_ip = json::find_string(stats, "host_ip").value_or("");
  if (uuid.empty() && host_ip.empty()) return {};
  if (uuid.empty()) return std::string(host_ip);
  return "uuid " + std::string(uuid) + (host_ip.empty() ? "" : " at " + std::string(host_ip));
}

std::string names_of(const fleet::ComputeNode& row) {
  return (row.topic == "compute" ? "" : "topic '" + row.topic + "', ") + "host '" + row.host +
         (row.node.empty() ? "'" : "', node '" + row.node + "'");
}

// "a, b, c and 7 more"
std::string few_of(const std::set<std::string>& names) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (++shown > most_shown) return text + " and " + std::to_string(names.size() - most_shown) + " more";
    text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

}  // namespace

std::optional<Event> ReportWatch::see(const fleet::ComputeNode& merged, const json::object& before,
                                      fleet::Nanoseconds now) {
  auto was = identity_of(before);
  const auto is = identity_of(merged.stats);
  if (was.empty() || was == is) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (changes_.size() >= most_names) changes_.clear();
  auto& changes = changes_[names_of(merged)];
  auto& earlier = changes.earlier;
  std::erase_if(earlier, [&](const Seen& seen) { return seen.identity == was || now - seen.at > remembered; });
  const bool came_back = std::ranges::any_of(earlier, [&](const Seen& seen) { return seen.identity == is; });
  earlier.push_back({was, now});
  if (earlier.size() > most_earlier) earlier.pop_front();
  if (!came_back) return std::nullopt;
  const bool is_known = changes.contested_at != 0 && now - changes.contested_at <= warned;
  changes.contested_at = now;
  if (is_known) return std::nullopt;
  changes.one = std::min(was, is);
  changes.other = std::max(was, is);
  Event event{"host.contested", merged.topic, merged.host, {}};
  event.more = {{"node", merged.node}, {"machines", json::array{json::value(changes.one), json::value(changes.other)}}};
  return event;
}

void ReportWatch::see_clock_ahead(const std::string& topic, const std::string& host, fleet::Nanoseconds now) {
  const std::lock_guard lock(mutex_);
  if (ahead_.size() >= most_names) ahead_.clear();
  ahead_[topic + "/" + host] = now;
}

std::vector<std::string> ReportWatch::warnings(const fleet::Fleet& fleet, fleet::Nanoseconds now) const {
  std::vector<std::string> all;
  std::set<std::string> ahead;
  for (const auto& service : fleet.clocks_ahead(now, fleet::tolerated_clock_skew))
    ahead.insert(service.topic + "/" + service.host);
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [names, changes] : changes_) {
      if (changes.contested_at == 0 || now - changes.contested_at > warned) continue;
      if (all.size() == most_shown) {
        all.emplace_back("two machines report by one name in more places; the events host.contested name them all");
        break;
      }
      all.push_back(names + ": two machines report by this name, " + changes.one + ", and " + changes.other +
                    "; what drivers see changes from one to the other");
    }
    for (const auto& [names, at] : ahead_) {
      if (now - at <= warned) ahead.insert(names);
    }
  }
  if (!ahead.empty()) {
    all.push_back("clocks run ahead, so that heartbeats or reports are of the future: " + few_of(ahead) +
                  "; a service that is ahead by more than service_down_time is down");
  }
  return all;
}

}  // namespace gantry::scheduling
