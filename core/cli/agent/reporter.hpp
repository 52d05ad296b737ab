// SPDX-License-Identifier: Apache-2.0
//
// Reports a host to the daemon: heartbeats, the host's resources, their use and the host's instances.
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

// The host to report and where to read its facts.
struct HostSettings {
  std::string topic = "compute";
  std::string host;
  std::string node;        // empty: the host has no nodes
  std::string disk_path;   // a path on the file system that holds the instances' disks
  std::string collectors;  // the directory of the collectors; empty: no collectors
};

// Returns the current time in UTC: "2026-11-21T09:00:00.000001Z".
std::string now_text();
// Returns the name of a host as the daemon's methods take it: `host` if `node` is empty, otherwise [host, node].
json::value host_name(const std::string& host, const std::string& node);

// Sends the reports of one host. Used by one thread.
class Reporter {
 public:
  Reporter(HostSettings settings, AgentState& state, Connection& connection, telemetry::Logger& logger);

  // Reports the host and registers the service. The first call looks for the collectors.
  Result<void> begin(const std::stop_token& stop);
  // Sends a heartbeat. Returns not_found if the daemon does not know the service. Then call begin.
  Result<void> beat();
  // Reports the host. First asks the daemon each time which statistics its drivers want, since a restarted daemon may
  // have another driver.
  Result<void> report(const std::stop_token& stop);

 private:
  Result<void> ask_what_is_wanted();
  Result<void> look_for_collectors(const std::stop_token& stop);
  std::set<std::string> without_provider() const;
  Result<void> send(const json::object& stats, const std::string& sampled_at);

  HostSettings settings_;
  AgentState& state_;
  Connection& connection_;
  telemetry::Logger& logger_;
  CallWishes wishes_;
  std::set<std::string> wanted_;        // the keys that the daemon's drivers want
  std::set<std::string> wanted_stats_;  // the ones of wanted_ that are no columns of the core
  std::set<std::string> cleared_;       // keys that no collector provides and that were reported as null already
  std::vector<Collector> collectors_;
  bool looked_for_collectors_ = false;
  std::int64_t memory_mb_used_ = 0;  // as reported last
};

}  // namespace gantry::cli::agent
