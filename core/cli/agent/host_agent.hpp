// SPDX-License-Identifier: Apache-2.0
//
// The agent of one host: reports the host, takes the casts for it, starts and ends its instances. The agent goes on
// across restarts of the daemon, and its state survives its own restart.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/cli/agent/agent_state.hpp"
#include "core/cli/agent/launcher.hpp"
#include "core/cli/agent/reporter.hpp"
#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/agent/work_queue.hpp"

namespace gantry::cli::agent {

struct AgentSettings {
  HostSettings host;
  LaunchSettings launch;
  std::chrono::milliseconds report_interval{10'000};
  std::size_t launches_at_once = 4;
  std::chrono::milliseconds longest_poll{2000};  // also the longest time that stopping takes
};

// Makes a connection for one thread.
using NewConnection = std::function<Result<std::unique_ptr<Connection>>()>;

class HostAgent {
 public:
  HostAgent(AgentSettings settings, AgentState& state, NewConnection connect,
            std::shared_ptr<telemetry::Logger> logger);

  // Registers and reports once.
  Result<void> once(const std::stop_token& stop);
  // Runs until the stop. Returns an error only if the start failed for a reason that a retry does not change.
  Result<void> run(const std::stop_token& stop);

  // Takes one cast of receive_casts: stores it, acknowledges it and queues the work. Only acknowledges a cast that was
  // taken before.
  Result<void> take(const json::object& cast, Connection& connection);
  // Starts or ends an instance by its phase and tells the daemon.
  void settle(const std::string& uuid, const std::stop_token& stop);

 private:
  void receive(const std::stop_token& stop);
  Result<void> receive_some(Connection& connection);
  Result<void> report_round(Reporter& reporter, bool& registered, const std::stop_token& stop);
  enum class Told { yes, not_yet, unknown_instance };
  Told tell(const AgentInstance& instance, const std::stop_token& stop);
  void start_instance(const AgentInstance& instance, const std::stop_token& stop);
  void end_instance(const AgentInstance& instance, const std::stop_token& stop);
  void end_again_later(const AgentInstance& instance, const std::string& why);
  void note(const Result<void>& result, std::string_view what);
  void report_soon();

  AgentSettings settings_;
  AgentState& state_;
  NewConnection connect_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool report_wanted_ = false;
  std::map<std::string, Backoff> ending_;  // instances whose terminate command has failed
  WorkQueue work_;                         // last, since its threads use the members above
};

}  // namespace gantry::cli::agent
