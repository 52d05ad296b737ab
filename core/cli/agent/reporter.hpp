// SPDX-License-Identifier: Apache-2.0
//
// Reports a host to the daemon: its heartbeat, resources, use and instances.
#pragma once

#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/agent/agent_state.hpp"
#include "core/cli/agent/collectors.hpp"
#include "core/cli/terminal/connection.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::cli::agent {

struct HostSettings {
  std::string topic = "compute";
  std::string host;
  std::string node;        // empty: the host has no nodes
  std::string disk_path;   // on the file system of the instances' disks
  std::string collectors;  // a directory; empty: no collectors
};

// Returns the current time: "2026-11-21T09:00:00.000001Z".
std::string now_text();
// Returns the host's name for the daemon's methods: text, or [host, node].
json::value host_name(const std::string& host, const std::string& node);

// Used by one thread.
class Reporter {
 public:
  Reporter(HostSettings settings, AgentState& state, Connection& connection, telemetry::Logger& logger);

  // Reports the host and registers the service. The first call looks for the collectors.
  Result<void> begin(const std::stop_token& stop);
  // Sends the heartbeat. not_found: the daemon does not know the service, so begin has to be called.
  Result<void> beat();
  // Reports the host. Asks for the wanted stats each time, since a restarted daemon may have another driver.
  Result<void> report(const std::stop_token& stop);

 private:
  Result<void> ask_what_is_wanted();
  Result<void> look_for_collectors(const std::stop_token& stop);
  std::set<std::string> without_provider() const;

  HostSettings settings_;
  AgentState& state_;
  Connection& connection_;
  telemetry::Logger& logger_;
  CallWishes wishes_;
  std::set<std::string> wanted_;
  std::set<std::string> wanted_stats_;  // the wanted keys that are not columns of the core
  std::set<std::string> cleared_;       // keys without a collector that were reported as null since the start
  std::vector<Collector> collectors_;
  bool looked_for_collectors_ = false;
};

}  // namespace gantry::cli::agent
