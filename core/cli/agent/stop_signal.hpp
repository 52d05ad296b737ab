// SPDX-License-Identifier: Apache-2.0
//
// Turns SIGTERM and SIGINT into a stop of a std::stop_token. Make the StopSignal before any other thread: it blocks the
// two signals, and only threads that are made later inherit that.
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

namespace gantry::cli::agent {

class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

// Waits until `time` has passed or the stop is requested. Returns false if the stop was requested.
bool pause_for(const std::stop_token& stop, std::chrono::milliseconds time);

// The waits between retries. next() returns 0.25 s, then twice the previous wait, at most `longest`. reset() starts
// again at 0.25 s.
class Backoff {
 public:
  explicit Backoff(std::chrono::milliseconds longest = std::chrono::milliseconds(8000)) : longest_(longest) {}
  std::chrono::milliseconds next() {
    const auto now = step_;
    step_ = std::min(step_ * 2, longest_);
    return now;
  }
  void reset() { step_ = std::chrono::milliseconds(250); }

 private:
  std::chrono::milliseconds longest_;
  std::chrono::milliseconds step_{250};
};

}  // namespace gantry::cli::agent
