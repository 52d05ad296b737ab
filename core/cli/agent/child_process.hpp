// SPDX-License-Identifier: Apache-2.0
//
// A program run to its end, with its own process group, bounded time and bounded output.
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
  std::string program{};  // a path, or a name that PATH has
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};  // beside what this process has
  std::string input{};                               // its standard input
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{1} << 20u;  // bytes kept of each stream, the last ones
  int end_signal = SIGKILL;                         // what ends it when its time is over
  std::chrono::milliseconds end_wait{2000};         // how long its end is awaited after that
};

struct ChildResult {
  int exit_status = 0;  // if it was not ended by a signal
  int signal = 0;       // 0: none
  bool timed_out = false;
  bool stopped = false;  // by the stop token
  bool cut = false;      // it said more on standard output than was kept
  int left_behind = 0;   // its process, if not even SIGKILL ended it in time: it hangs in the kernel
  std::string output;    // standard output
  std::string errors;    // standard error

  bool succeeded() const { return exit_status == 0 && signal == 0 && !timed_out && !stopped; }
  // "exit status 3", "killed by signal 9", "no end after 5 s".
  std::string how_it_ended(std::chrono::milliseconds timeout) const;
};

// The last line that is not blank; empty: there is none.
std::string last_line(const std::string& text);

// [any thread] Blocks until the program has ended, was ended, or would not end. An error: it could not be started.
Result<ChildResult> run_child(const ChildRequest& request, const std::stop_token& stop = {});

// [any thread] Whether a process that was left behind has ended at last. True is said once: the process is forgotten.
bool has_ended(int left_behind);

}  // namespace gantry::cli::agent
