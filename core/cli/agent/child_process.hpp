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
  std::string program{};  // a path, or a name to look up in PATH
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};  // in addition to this process's variables
  std::string directory{};                           // where the program runs; empty: where this process runs
  std::string input{};                               // given to the program as its standard input
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{1} << 20u;  // bytes kept of each output stream; older bytes are dropped
  int end_signal = SIGKILL;                         // sent after the timeout
  int parent_signal = 0;                            // sent if the thread that waits has ended, as by SIGKILL; 0: none
  std::chrono::milliseconds end_wait{2000};         // how long to wait for the end after end_signal
};

struct ChildResult {
  int exit_status = 0;  // valid if signal is 0
  int signal = 0;       // the signal that ended the program; 0: no signal
  bool timed_out = false;
  bool stopped = false;  // true: ended because the stop token was triggered
  bool cut = false;      // true: standard output was longer than most_output
  int left_behind = 0;   // process id of a program that end_signal did not end in time; 0: the program has ended
  std::string output;    // the kept end of standard output
  std::string errors;    // the kept end of standard error

  bool succeeded() const { return exit_status == 0 && signal == 0 && !timed_out && !stopped; }
  // Returns "exit status 3", "killed by signal 9", "no end after 5 s" or "stopped with the agent". `timeout` is the
  // request's.
  std::string how_it_ended(std::chrono::milliseconds timeout) const;
};

// Returns the last line of `text` that is not blank. Empty if all lines are blank.
std::string last_line(const std::string& text);

// Runs a program. Blocks until it has ended, or until end_wait has passed after the signal that should end it. Returns
// an error if the program could not be started. [any thread]
Result<ChildResult> run_child(const ChildRequest& request, const std::stop_token& stop = {});

// Returns true if the process ChildResult::left_behind has ended. Do not ask again after true, since the id may then
// belong to another process. [any thread]
bool has_ended(int left_behind);

}  // namespace gantry::cli::agent
