// SPDX-License-Identifier: Apache-2.0
//
// A host that exists in name only: what it would report, and what became of its instances. Knows no connection.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/cli/agent/simulation_file.hpp"
#include "core/cli/agent/state_file.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli::agent {

// Used by one thread.
class SimulatedHost {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SimulatedHost(SimulatedHostSettings settings);

  const SimulatedHostSettings& settings() const { return settings_; }
  json::object stats() const;

  // A cast, once; a repeat changes nothing.
  void take(const json::object& cast, Clock::time_point now);
  // An instance that it ran before the simulation was started anew.
  void adopt(const json::object& instance);

  struct Outcome {
    std::string uuid;
    std::string fault;  // empty: it is active
  };
  // Those whose boot time is over. They come again until `settled` says that the daemon knows.
  std::vector<Outcome> due(Clock::time_point now) const;
  void settled(const std::string& uuid);
  // Deleted while it was being launched.
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
