// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends instances by the operator's commands. Without a command both always succeed.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/cli/agent/agent_state.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

struct LaunchSettings {
  std::string launch;     // empty: always succeeds
  std::string terminate;  // empty: always succeeds
  std::chrono::milliseconds timeout{600'000};
};

// Run the command with GANTRY_INSTANCE_UUID, _NAME, _VCPUS, _MEMORY_MB and _ROOT_GB in its environment and the cast's
// JSON as its standard input. An error's message becomes the instance's fault: the last line of standard error, or of
// standard output if that is empty. ErrorCode::unavailable: the agent stopped and the state of the instance is unknown.
Result<void> launch(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);
Result<void> terminate(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);

}  // namespace gantry::cli::agent
