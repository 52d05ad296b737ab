// SPDX-License-Identifier: Apache-2.0
//
// A simulated host: makes its reports and keeps its instances. Has no connection.
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
  json::object stats() const;

  // Takes a cast. A repeated cast changes nothing.
  void take(const json::object& cast, Clock::time_point now);
  // Adds an instance that ran before the simulation was restarted.
  void adopt(const json::object& instance);

  struct Outcome {
    std::string uuid;
    std::string fault;  // empty: the instance is active
  };
  // Returns the instances whose boot time is over. Returns them again until `settled` is called after the daemon was
  // told.
  std::vector<Outcome> due(Clock::time_point now) const;
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
  std::deque<std::string> casts_;  // the latest ids, oldest first
};

}  // namespace gantry::cli::agent
