// SPDX-License-Identifier: Apache-2.0
//
// The gantryd of `gantry driver dev`, a child of this process.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/cli/agent/child_process.hpp"
#include "core/result.hpp"

namespace gantry::cli {

class TrialDaemon {
 public:
  // Starts the program and returns at once.
  TrialDaemon(std::vector<std::string> arguments, std::map<std::string, std::string> environment);
  // Ends the program: SIGTERM, and SIGKILL where that does not help.
  ~TrialDaemon();
  TrialDaemon(const TrialDaemon&) = delete;
  TrialDaemon& operator=(const TrialDaemon&) = delete;

  bool has_ended() const { return ended_; }
  // Returns how the program has ended and the last lines that it wrote, a crash report say. Only after has_ended().
  std::string end() const;

 private:
  std::atomic<bool> ended_ = false;
  std::optional<Result<agent::ChildResult>> result_;
  std::jthread waiter_;
};

}  // namespace gantry::cli
