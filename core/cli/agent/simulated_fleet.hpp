// SPDX-License-Identifier: Apache-2.0
//
// Many simulated hosts in one process: a thread for each few hundred of one topic, with one long poll for all of them.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/agent/host_agent.hpp"
#include "core/cli/agent/simulated_host.hpp"

namespace gantry::cli::agent {

// The hosts of one thread, all of one topic.
class SimulatedShard {
 public:
  SimulatedShard(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval,
                 std::unique_ptr<Connection> connection, telemetry::Logger& logger);

  // Registers and reports each host; takes over what the daemon says they run.
  Result<void> begin();
  // Heartbeats that are due, casts that come within `wait`, instances that have booted, reports that this made stale.
  Result<void> turn(std::chrono::milliseconds wait);
  // Turns until the stop; begins anew after a failure.
  void run(const std::stop_token& stop);

 private:
  struct Entry {
    SimulatedHost host;
    SimulatedHost::Clock::time_point next_beat;
    bool stale = false;  // its last report no longer holds
  };
  Result<json::value> call(std::string_view method, const json::object& args, std::chrono::milliseconds wait = {});
  Result<void> begin_host(Entry& entry);
  Result<void> adopt_instances();
  Result<void> beat(Entry& entry);
  Result<void> report(Entry& entry);
  Result<void> receive(std::chrono::milliseconds wait);
  Result<void> settle(Entry& entry);
  Entry* find(std::string_view name);

  std::vector<Entry> hosts_;  // sorted by name
  std::string topic_;
  std::chrono::milliseconds interval_;
  std::unique_ptr<Connection> connection_;
  telemetry::Logger& logger_;
};

// Runs the whole fleet until the stop; `once`: registers, reports and returns.
Result<void> simulate(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval, bool once,
                      const NewConnection& connect, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
