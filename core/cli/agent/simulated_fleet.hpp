// SPDX-License-Identifier: Apache-2.0
//
// Simulates many hosts in one process, with one thread and one long poll for some hundred hosts of one topic.
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

  // Registers and reports each host. Adopts the instances that the daemon lists for them.
  Result<void> begin();
  // Does one round: sends due heartbeats, takes casts for at most `wait`, finishes boots, and renews stale reports.
  Result<void> turn(std::chrono::milliseconds wait);
  // Repeats turn until the stop. Calls begin again after a failure.
  void run(const std::stop_token& stop);

 private:
  struct Entry {
    SimulatedHost host;
    SimulatedHost::Clock::time_point next_beat;
    bool stale = false;  // the last report is out of date
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

// Runs the whole fleet until the stop. With `once`, registers and reports each host and returns.
Result<void> simulate(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval, bool once,
                      const NewConnection& connect, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
