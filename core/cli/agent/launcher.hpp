// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends instances by a command of the operator's. Without a command both always succeed.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/cli/agent/state_file.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

struct LaunchSettings {
  std::string launch;     // empty: built in
  std::string terminate;  // empty: built in
  std::chrono::milliseconds timeout{600'000};
};

// Run with GANTRY_INSTANCE_UUID, _NAME, _VCPUS, _MEMORY_MB and _ROOT_GB in its environment and the cast's JSON as its
// standard input. An error's message is what the instance's fault will be: the command's last line, of standard error
// if there is one. ErrorCode::unavailable: the agent stops, nothing is known of the instance.
Result<void> launch(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);
Result<void> terminate(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop);

}  // namespace gantry::cli::agent
