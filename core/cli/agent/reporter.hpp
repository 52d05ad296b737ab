// SPDX-License-Identifier: Apache-2.0
//
// What a host says of itself: that it is there, what it has, what it uses and whom it runs.
#pragma once

#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/agent/collectors.hpp"
#include "core/cli/agent/state_file.hpp"
#include "core/cli/terminal/connection.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::cli::agent {

struct HostSettings {
  std::string topic = "compute";
  std::string host;
  std::string node;        // empty: the host has no nodes
  std::string disk_path;   // where instances' disks are
  std::string collectors;  // a directory; empty: none
};

// "2026-11-21T09:00:00.000001Z", now.
std::string now_text();
// How the daemon's methods name a host: text, or [host, node].
json::value host_name(const std::string& host, const std::string& node);

// Used by one thread.
class Reporter {
 public:
  Reporter(HostSettings settings, AgentState& state, Connection& connection, telemetry::Logger& logger);

  // Reports the host and registers the service. The collectors are looked for at the first time.
  Result<void> begin(const std::stop_token& stop);
  // not_found: the daemon has forgotten the service; begin again.
  Result<void> beat();
  // Asks what is wanted each time: a daemon that was restarted with another driver wants other things.
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
  std::set<std::string> wanted_stats_;  // of these, what is beyond the core's columns
  std::set<std::string> cleared_;       // what was reported as null since the start for want of a collector
  std::vector<Collector> collectors_;
  bool looked_for_collectors_ = false;
};

}  // namespace gantry::cli::agent
