// SPDX-License-Identifier: Apache-2.0
//
// A fleet for the filter driver and for Nova's own scheduler code: the same hosts in both forms. No two are alike in
// what is used of them; processors, hypervisors, zones and aggregates are of a few kinds, as in a real site.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"

namespace gantry::bench {

constexpr fleet::Nanoseconds fleet_time = 1'800'000'000'000'000'000;

struct FilterFleetSettings {
  std::size_t hosts = 0;
  bool has_numa = false;                // each with a NUMA topology of its own, about 3 kB of JSON
  fleet::Nanoseconds now = fleet_time;  // time of each heartbeat and report
};

// Rows come in the order of the hosts' numbers.
void load_filter_fleet(fleet::Fleet& fleet, const FilterFleetSettings& settings);

// The host has another instance since, or one less: what it reports of its use alternates with `turn`.
void report_again(fleet::Fleet& fleet, std::size_t host, std::size_t turn);

// Instances of one server group, each on a host of its own.
std::vector<std::string> place_group(fleet::Fleet& fleet, std::size_t hosts, std::size_t members);

// One JSON object a line: a host as recorded decisions write a HostState, without a NUMA topology.
std::string nova_hosts(std::size_t hosts);

}  // namespace gantry::bench
