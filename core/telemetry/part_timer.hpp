// SPDX-License-Identifier: Apache-2.0
//
// Adds up how long the parts of some work take, in microseconds: one counter, with a label for each part.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "core/telemetry/counters.hpp"

namespace gantry::telemetry {

// The counters outlive the timer. [one thread at a time]
class PartTimer {
 public:
  using Clock = std::chrono::steady_clock;

  PartTimer(Counters& counters, std::string_view name, Clock::time_point began = Clock::now())
      : counters_(&counters), name_(name), began_(began) {}

  // Adds the time since the last part ended, or since the start, to the part.
  void end(std::string_view part) {
    const auto now = Clock::now();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(now - std::exchange(began_, now));
    counters_->add(name_, part, static_cast<std::uint64_t>(time.count()));
  }

 private:
  Counters* counters_;
  std::string name_;
  Clock::time_point began_;
};

}  // namespace gantry::telemetry
