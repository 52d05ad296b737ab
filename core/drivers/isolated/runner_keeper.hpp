// SPDX-License-Identifier: Apache-2.0
//
// Keeps the runner of one driver: starts it, notices its end, starts it again. A runner that ends is started again at
// once; if that one ends soon, too, within a minute of its start, after a pause that doubles from 100 ms to 30 s. The
// driver is never given up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/drivers/isolated/lane.hpp"
#include "core/drivers/isolated/lane_memory.hpp"
#include "core/drivers/isolated/runner_process.hpp"
#include "core/drivers/isolated/runner_start.hpp"
#include "core/drivers/isolated/runner_status.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers::isolated {

class MessageReader;

// [any thread] unless said otherwise.
class RunnerKeeper {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  struct Plan {
    RunnerStart start;
    RunnerProcess::Plan process;            // without lanes, which the keeper adds
    std::chrono::milliseconds start_limit;  // for a runner to be ready
    std::uint32_t cpu_limit = 0;            // percent of a processor; 0: no limit
  };
  RunnerKeeper(Plan plan, LaneMemory lanes, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters);
  ~RunnerKeeper();  // lets the driver destroy itself, for a second at most
  RunnerKeeper(const RunnerKeeper&) = delete;
  RunnerKeeper& operator=(const RunnerKeeper&) = delete;

  // Starts the first runner and waits until it is ready. Call it once. Error: the driver cannot be created.
  Result<RunnerTraits> begin();

  // Waits for a runner that is being started. unavailable: there is none, and none will be soon.
  Result<void> await_ready(TimePoint deadline);
  RunnerStatus status() const;

  // Hands the call in a lane to the runner. Returns the number of the runner, nullopt if there is none.
  std::optional<std::uint64_t> enter(const Lane& lane);
  // Gives the lane back to the same runner. Returns false if that runner is over.
  bool answer(const Lane& lane, std::uint64_t runner);
  // Returns how the runner ended. nullopt: it has not.
  std::optional<std::string> ending_of(std::uint64_t runner) const;
  // Waits for that end.
  std::string await_ending(std::uint64_t runner);
  // Ends the runner. `cause` is what its calls fail with, and what operators read.
  void kill(std::uint64_t runner, const std::string& cause);

  // Returns whether the request ended the newest runner that has ended, as far as that is known: the runner's crash report
  // named it, or its call was the only one.
  bool blames(std::string_view request) const;

  const LaneMemory& lanes() const { return lanes_; }
  FreeLanes& free_lanes() { return free_lanes_; }

 private:
  // The facts that the thread keeps of one runner.
  struct Watched {
    struct Sample {
      TimePoint time;
      std::chrono::nanoseconds used;
    };
    std::deque<Sample> samples;  // the processor time, once a second
    std::string line;            // printed, not complete yet
    std::uint32_t lines = 0;     // since then
    TimePoint lines_since;
    std::string last_line;
  };

  void run();
  Result<RunnerTraits> start(RunnerProcess& process, Watched& watched);
  Result<void> await_start(RunnerProcess& process, Watched& watched, TimePoint until);
  Result<std::optional<RunnerTraits>> read_start() const;
  void log_line(MessageReader& from) const;
  void note_start(const Result<RunnerTraits>& traits);
  void watch(RunnerProcess& process, Watched& watched);
  bool look_at(RunnerProcess& process, Watched& watched);
  void read_printed(const RunnerProcess& process, Watched& watched);
  void take_line(Watched& watched);
  void check_processor_time(const RunnerProcess& process, Watched& watched);
  void check_lanes();
  void end_driver(const RunnerProcess& process);
  void note_end(const std::string& ending);
  bool pause_before_next();
  bool begin_next();
  bool is_stopping() const;

  const Plan plan_;
  const LaneMemory lanes_;
  FreeLanes free_lanes_{lanes_};
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  const files::Descriptor wake_;  // an eventfd that wakes the thread
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  RunnerStatus status_;                        // this and the rest are guarded by mutex_
  std::optional<Result<RunnerTraits>> first_;  // the outcome of the first start
  const RunnerProcess* process_ = nullptr;
  std::uint64_t runner_ = 0;  // the number of the newest runner
  std::string killed_for_;    // why the newest runner was killed
  std::string crash_;         // the newest runner's words about its crash
  std::string blamed_;        // the request that the last runner to end named in its crash report
  bool was_alone_ = false;    // that runner had one call
  std::uint32_t ends_in_a_row_ = 0;
  TimePoint started_;
  TimePoint next_start_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gantry::drivers::isolated
