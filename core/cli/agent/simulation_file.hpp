// SPDX-License-Identifier: Apache-2.0
//
// Reads the description of a simulated fleet in TOML:
//
//   [[hosts]]
//   name = "c{1..10}"      or name = "c" and count = 10: both are c1 to c10
//   topic = "compute"
//   vcpus = 8
//   memory_mb = 16384
//   local_gb = 200
//   stats = { rack = "r1" }          further statistics that each host reports. vcpus_used, memory_mb_used and
//                                    local_gb_used are the use without instances.
//   launch = "ok"                    or "fail: why": each launch fails, with "why" as its reason
//   boot_seconds = 0.5               the time from a launch until the instance is active or failed
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

// One host of the file.
struct SimulatedHostSettings {
  std::string name;
  std::string node;  // empty: the host has no nodes
  std::string topic = "compute";
  std::int64_t vcpus = 8;
  std::int64_t memory_mb = 16384;
  std::int64_t local_gb = 200;
  json::object stats;
  std::string fault;  // why each launch fails; empty: launches succeed
  std::chrono::milliseconds boot_time{0};
};

// Returns one entry for each host. Refuses two hosts of one name and topic. The error names `source`, line, column,
// key, expected and found.
Result<std::vector<SimulatedHostSettings>> parse_simulation(std::string_view text, const std::string& source);

// Returns the names of a pattern with one range: c1, c2, c3 for "c{1..3}". "{01..10}" keeps the leading zero. A pattern
// without braces is itself the only name.
Result<std::vector<std::string>> expand_name(const std::string& pattern);

}  // namespace gantry::cli::agent
