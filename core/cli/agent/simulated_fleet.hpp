// SPDX-License-Identifier: Apache-2.0
//
// Simulates many hosts in one process. The hosts of one topic are split into shards of some hundred hosts. Each shard
// has one thread, one connection and one long poll for the casts of all its hosts.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/agent/host_agent.hpp"
#include "core/cli/agent/simulated_host.hpp"

namespace gantry::cli::agent {

// The hosts that one thread simulates, all of one topic.
class SimulatedShard {
 public:
  SimulatedShard(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval,
                 std::unique_ptr<Connection> connection, telemetry::Logger& logger);

  // Reports and registers each host. For the topic compute, first adopts the active instances that the daemon lists for
  // the hosts.
  Result<void> begin();
  // Does one round: waits at most `wait` for casts and takes them, tells the daemon which boots have ended, and sends
  // the heartbeats and reports that are due.
  Result<void> turn(std::chrono::milliseconds wait);
  // Repeats turn until the stop. Calls begin again after a failure.
  void run(const std::stop_token& stop);

 private:
  struct Entry {
    SimulatedHost host;
    SimulatedHost::Clock::time_point next_beat;
    bool stale = false;  // true: the last report is out of date
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

// Simulates all hosts until the stop. With `once`, reports and registers each host once and returns.
Result<void> simulate(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval, bool once,
                      const NewConnection& connect, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
