// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends instances by running the operator's commands.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/cli/agent/agent_state.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

struct LaunchSettings {
  std::string launch;     // program that starts an instance; empty: none is run, launch succeeds
  std::string terminate;  // program that ends an instance; empty: none is run, terminate succeeds
  std::chrono::milliseconds timeout{600'000};
};

// Run the command with GANTRY_INSTANCE_UUID, _NAME, _VCPUS, _MEMORY_MB and _ROOT_GB in its environment. Its standard
// input is the args of the instance's cast as JSON. If the command fails, the error's message is the last line of its
// standard error, or of its standard output if standard error is blank. ErrorCode::unavailable means that the agent
// stopped before the command ended, so the state of the instance is unknown.
Result<void> launch(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);
Result<void> terminate(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);

}  // namespace gantry::cli::agent
