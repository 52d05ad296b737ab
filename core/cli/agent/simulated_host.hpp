// SPDX-License-Identifier: Apache-2.0
//
// A simulated host: makes the statistics of its reports and keeps its instances in memory. It has no connection to the
// daemon, SimulatedShard has.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/cli/agent/agent_state.hpp"
#include "core/cli/agent/simulation_file.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli::agent {

// Used by one thread.
class SimulatedHost {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SimulatedHost(SimulatedHostSettings settings);

  const SimulatedHostSettings& settings() const { return settings_; }
  // Returns the statistics of a report at this moment.
  json::object stats() const;

  // Takes a cast: run_instance adds an instance whose boot begins at `now`, terminate_instance removes an instance. A
  // cast whose id was taken before changes nothing.
  void take(const json::object& cast, Clock::time_point now);
  // Adds an active instance that ran before the simulation was restarted.
  void adopt(const json::object& instance);

  // The end of one boot.
  struct Outcome {
    std::string uuid;
    std::string fault;  // why the boot failed; empty: the instance is active
  };
  // Returns the instances whose boot time is over at `now`. Returns an instance again at each call until `settled` is
  // called for it.
  std::vector<Outcome> due(Clock::time_point now) const;
  // Records that the daemon was told the outcome. Removes the instance if its boot failed.
  void settled(const std::string& uuid);
  // Removes an instance that was deleted during its launch.
  void forget(const std::string& uuid);

 private:
  struct Running {
    AgentInstance instance;
    Clock::time_point due;
    bool settled = false;
  };
  SimulatedHostSettings settings_;
  std::map<std::string, Running> instances_;
  std::deque<std::string> casts_;  // ids of the latest casts, oldest first
};

}  // namespace gantry::cli::agent
