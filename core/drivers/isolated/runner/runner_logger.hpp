// SPDX-License-Identifier: Apache-2.0
//
// The log of a runner: lines travel to the service with the next message of the call that writes them. Lines outside of
// a call go to standard error, which the service reads, too.
#pragma once

#include <atomic>

#include "core/drivers/isolated/runner/runner_lane.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers::isolated {

// [any thread]
class RunnerLogger final : public telemetry::Logger {
 public:
  // While the object lives, the lines of this thread go to the lane.
  class CallOfThread {
   public:
    explicit CallOfThread(RunnerLane& lane);
    ~CallOfThread();
    CallOfThread(const CallOfThread&) = delete;
    CallOfThread& operator=(const CallOfThread&) = delete;
  };

  bool enabled(telemetry::Level level) const override { return level >= level_.load(std::memory_order_relaxed); }
  telemetry::Level level() const override { return level_.load(std::memory_order_relaxed); }
  void set_level(telemetry::Level level) override { level_.store(level, std::memory_order_relaxed); }
  using Logger::write;
  void write(telemetry::Level level, std::string_view message, std::span<const telemetry::Field> fields) override;
  Result<void> reopen() override { return {}; }

 private:
  std::atomic<telemetry::Level> level_{telemetry::Level::info};
};

}  // namespace gantry::drivers::isolated
