// SPDX-License-Identifier: Apache-2.0
//
// Runs a program to its end, in a process group of its own, with bounded time and output.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli::agent {

struct ChildRequest {
  std::string program{};  // a path, or a name to find in PATH
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};  // in addition to this process's variables
  std::string input{};                               // its standard input
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{1} << 20u;  // of each stream the last bytes are kept
  int end_signal = SIGKILL;                         // sent after the timeout
  std::chrono::milliseconds end_wait{2000};         // how long to wait after the signal
};

struct ChildResult {
  int exit_status = 0;  // valid if signal is 0
  int signal = 0;       // the signal that ended the program; 0: no signal
  bool timed_out = false;
  bool stopped = false;  // ended by the stop token
  bool cut = false;      // standard output was longer than most_output
  int left_behind = 0;   // the process id if SIGKILL did not end the process in time, since it hangs in the kernel
  std::string output;    // standard output
  std::string errors;    // standard error

  bool succeeded() const { return exit_status == 0 && signal == 0 && !timed_out && !stopped; }
  // Returns "exit status 3", "killed by signal 9" or "no end after 5 s".
  std::string how_it_ended(std::chrono::milliseconds timeout) const;
};

// Returns the last line that is not blank. Empty if there is no such line.
std::string last_line(const std::string& text);

// Blocks until the program has ended or could not be ended. An error means that it could not be started. [any thread]
Result<ChildResult> run_child(const ChildRequest& request, const std::stop_token& stop = {});

// Returns true once a process that was left behind has ended. The call that returns true forgets the process. [any
// thread]
bool has_ended(int left_behind);

}  // namespace gantry::cli::agent
