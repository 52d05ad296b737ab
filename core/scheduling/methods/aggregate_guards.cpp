// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/aggregate_guards.hpp"

#include <algorithm>
#include <span>

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

std::string named(std::string_view zone, const fleet::Fleet& fleet) {
  return zone.empty() ? fleet.default_availability_zone() : std::string(zone);
}

// Checks a host whose zone by the aggregate goes from `from` to `to`. Empty: the aggregate puts it into none.
Result<void> check_zone_kept(const fleet::Fleet& fleet, std::int64_t aggregate, const std::string& host,
                             std::string_view from, std::string_view to) {
  const auto zones = fleet.zones_of(host);
  if (std::ranges::any_of(zones, [aggregate](const auto& zone) { return zone.aggregate != aggregate; })) return {};
  const auto before = named(from, fleet);
  const auto after = named(to, fleet);
  const auto count = before == after ? 0 : fleet.instances_on(host);
  if (count == 0) return {};
  return in_the_way("host '" + host + "' would go from zone '" + before + "' to zone '" + after + "' with " +
                    std::to_string(count) + (count == 1 ? " instance" : " instances") + " on it");
}

}  // namespace

Result<void> check_hosts_known(fleet::Fleet& fleet, std::span<const std::string> hosts) {
  if (hosts.empty()) return {};
  const auto moment = fleet.pin(steady_nanoseconds());
  for (const auto& host : hosts) {
    if (moment.row_of("compute", host, "")) continue;
    return in_the_way("host '" + host +
                      "': expected a host of topic compute, found none of that name; `gantry host list` shows those "
                      "there are");
  }
  return {};
}

Result<void> check_no_hosts(const fleet::Aggregate& aggregate) {
  if (aggregate.hosts.empty()) return {};
  return in_the_way("aggregate '" + aggregate.name + "': expected no hosts, found " + joined(aggregate.hosts) +
                    "; take them out first");
}

Result<void> check_zones_kept(const fleet::Fleet& fleet, const HostChange& change, const fleet::Aggregate& before,
                              const fleet::Aggregate& after) {
  const auto from = zone_in(before);
  const auto to = zone_in(after);
  for (const auto& host : change.added)
    if (auto kept = check_zone_kept(fleet, after.id, host, {}, to); !kept) return kept;
  for (const auto& host : change.removed)
    if (auto kept = check_zone_kept(fleet, after.id, host, from, {}); !kept) return kept;
  if (from == to) return {};
  for (const auto& host : before.hosts)
    if (auto kept = check_zone_kept(fleet, after.id, host, from, to); !kept) return kept;
  return {};
}

Result<void> check_one_zone(const fleet::Fleet& fleet, const fleet::Aggregate& aggregate,
                            std::span<const std::string> hosts) {
  const auto own = zone_in(aggregate);
  if (aggregate.metadata.contains("availability_zone")) {
    for (const auto& host : hosts) {
      for (const auto& other : fleet.zones_of(host)) {
        if (other.aggregate == aggregate.id || other.zone == own) continue;
        return Error{ErrorCode::failed_precondition,
                     "host '" + host + "' is in availability zone '" + other.zone + "' by aggregate '" +
                         other.aggregate_name + "' and cannot be in '" + std::string(own) + "' too",
                     {}};
      }
    }
  }
  return {};
}

}  // namespace gantry::scheduling
