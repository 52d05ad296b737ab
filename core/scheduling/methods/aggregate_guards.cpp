// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/aggregate_guards.hpp"

#include <algorithm>
#include <set>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::string_view way_out = " (--force, in the API force: true, does it all the same)";

Error in_the_way(std::string message) {
  return {ErrorCode::failed_precondition, std::move(message.append(way_out)), {}};
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t at = 0; at < std::min(most, names.size()); ++at) text.append(at == 0 ? "" : ", ").append(names[at]);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

bool has_host(const fleet::Aggregate& aggregate, const std::string& host) {
  return std::ranges::find(aggregate.hosts, host) != aggregate.hosts.end();
}

// Returns the zone of the host if the aggregate alone decides it.
std::string zone_within(const fleet::Fleet& fleet, const fleet::Aggregate& aggregate, const std::string& host) {
  auto zone = has_host(aggregate, host) ? zone_of(aggregate) : std::string();
  return zone.empty() ? fleet.default_availability_zone() : zone;
}

bool another_has_zone_of(const fleet::Fleet& fleet, std::int64_t id, const std::string& host) {
  return std::ranges::any_of(fleet.aggregates(), [&](const auto& other) {
    return other.id != id && has_host(other, host) && !zone_of(other).empty();
  });
}

std::size_t count_of_instances(const fleet::Fleet& fleet, const std::string& host) {
  const auto instances = fleet.instances({.host = host});
  return static_cast<std::size_t>(
      std::ranges::count_if(instances, [](const auto& instance) { return instance.vm_state != "deleted"; }));
}

}  // namespace

std::string zone_of(const fleet::Aggregate& aggregate) {
  const auto zone = aggregate.metadata.find("availability_zone");
  return zone == aggregate.metadata.end() ? std::string() : zone->second;
}

Result<void> check_host_known(fleet::Fleet& fleet, const std::string& host) {
  if (fleet.pin(now_nanoseconds()).row_of("compute", host, "")) return {};
  return in_the_way(
      "host '" + host +
      "': expected a host of topic compute, found none of that name; `gantry host list` shows those there "
      "are");
}

Result<void> check_no_hosts(const fleet::Aggregate& aggregate) {
  if (aggregate.hosts.empty()) return {};
  return in_the_way("aggregate '" + aggregate.name + "': expected no hosts, found " + joined(aggregate.hosts) +
                    "; take them out first");
}

Result<void> check_zones_kept(const fleet::Fleet& fleet, const fleet::Aggregate& before,
                              const fleet::Aggregate& after) {
  std::set<std::string> hosts(before.hosts.begin(), before.hosts.end());
  hosts.insert(after.hosts.begin(), after.hosts.end());
  for (const auto& host : hosts) {
    const auto from = zone_within(fleet, before, host);
    const auto to = zone_within(fleet, after, host);
    if (from == to || another_has_zone_of(fleet, after.id, host)) continue;
    const auto count = count_of_instances(fleet, host);
    if (count == 0) continue;
    return in_the_way("host '" + host + "' would go from zone '" + from + "' to zone '" + to + "' with " +
                      std::to_string(count) + (count == 1 ? " instance" : " instances") + " on it");
  }
  return {};
}

}  // namespace gantry::scheduling
