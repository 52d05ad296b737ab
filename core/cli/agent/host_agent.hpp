// SPDX-License-Identifier: Apache-2.0
//
// The agent of one host: reports the host to the daemon, takes the casts for the host, starts and ends the host's
// instances. The agent keeps running when the daemon restarts. AgentState keeps its state across its own restart.
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
  std::chrono::milliseconds longest_poll{2000};  // the wait of one request for casts; a stop may take as long
};

// Makes a new connection to the daemon, to be used by one thread.
using NewConnection = std::function<Result<std::unique_ptr<Connection>>()>;

class HostAgent {
 public:
  HostAgent(AgentSettings settings, AgentState& state, NewConnection connect,
            std::shared_ptr<telemetry::Logger> logger);

  // Reports the host and registers its service once, then returns.
  Result<void> once(const std::stop_token& stop);
  // Runs until the stop. Retries when the daemon does not answer. Returns an error only if `connect` fails at the
  // start.
  Result<void> run(const std::stop_token& stop);

  // Takes one cast of receive_casts: stores it, queues the instance for settle and acknowledges the cast to the daemon.
  // If the cast was taken before, or is no valid cast for an instance, it is acknowledged and nothing else happens.
  Result<void> take(const json::object& cast, Connection& connection);
  // Starts or ends an instance, as its phase demands, and tells the daemon the outcome.
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
  std::map<std::string, Backoff> ending_;  // by uuid: the instances whose terminate command has failed
  WorkQueue work_;                         // declared last, since its threads use the members above
};

}  // namespace gantry::cli::agent
