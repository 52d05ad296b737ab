// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner_keeper.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace gantry::drivers::isolated {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds first_pause{100};
constexpr milliseconds longest_pause{30'000};
constexpr std::chrono::seconds long_life{60};
constexpr milliseconds time_to_destroy{1000};

milliseconds pause_after(std::uint32_t ends_in_a_row) {
  if (ends_in_a_row < 2) return milliseconds(0);
  const std::uint32_t doublings = std::min(ends_in_a_row - 2, 20U);
  return std::min(longest_pause, first_pause * (1U << doublings));
}

// The request that a crash report names (load/crash_report.cpp).
std::string request_in(std::string_view crash) {
  constexpr std::string_view mark = ", request ";
  const auto found = crash.find(mark);
  if (found == std::string_view::npos) return {};
  const auto rest = crash.substr(found + mark.size());
  return std::string(rest.substr(0, rest.find_first_of(",; ")));
}

}  // namespace

RunnerKeeper::RunnerKeeper(Plan plan, LaneMemory lanes, std::shared_ptr<telemetry::Logger> logger,
                           std::shared_ptr<telemetry::Counters> counters)
    : plan_([&] {
        plan.process.lanes = lanes.descriptor();
        plan.process.lanes_begin = lanes.begin();
        plan.process.lane_count = lanes.count();
        return std::move(plan);
      }()),
      lanes_(std::move(lanes)),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

RunnerKeeper::~RunnerKeeper() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  ::eventfd_write(wake_.number(), 1);
  if (thread_.joinable()) thread_.join();
}

Result<RunnerTraits> RunnerKeeper::begin() {
  thread_ = std::thread([this] { run(); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return first_.has_value(); });
  return *first_;
}

bool RunnerKeeper::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

// One turn of the loop is the life of one runner.
void RunnerKeeper::run() {
  while (begin_next()) {
    auto process = RunnerProcess::start(plan_.process);
    Result<RunnerTraits> traits = process ? Result<RunnerTraits>(RunnerTraits()) : process.error();
    if (process) {
      {
        const std::lock_guard lock(mutex_);
        process_ = &*process;
        status_.process = process->number();
      }
      Watched watched;
      traits = start(*process, watched);
      const bool is_ready = static_cast<bool>(traits);
      note_start(traits);
      if (is_ready) watch(*process, watched);
      if (is_stopping() || (!is_ready && runner_ == 1)) {
        const std::lock_guard lock(mutex_);
        process_ = nullptr;
        return;
      }
      process->kill();
    }
    const bool was_ready = static_cast<bool>(traits);
    note_end(was_ready ? process->await_end() : "could not be started again: " + traits.error().message);
    if (!process && !first_) {
      const std::lock_guard lock(mutex_);
      first_ = process.error();
      changed_.notify_all();
      return;
    }
    if (!pause_before_next()) return;
  }
}

void RunnerKeeper::note_start(const Result<RunnerTraits>& traits) {
  bool is_to_be_told = false;
  {
    const std::lock_guard lock(mutex_);
    if (traits) {
      status_.state = RunnerState::ready;
      status_.reads_only_its_files = traits->reads_only_its_files;
      status_.is_confined = plan_.process.is_confined;
      is_to_be_told = !first_ && status_.is_confined && !traits->reads_only_its_files;
    }
    if (!first_) first_ = traits;
  }
  changed_.notify_all();
  if (!is_to_be_told) return;
  logger_->write(telemetry::Level::warning,
                 "a driver could read files other than its own until it was created: the kernel has no Landlock",
                 {{"driver", plan_.start.driver}});
}

bool RunnerKeeper::begin_next() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  ++runner_;
  status_.state = RunnerState::starting;
  killed_for_.clear();
  crash_.clear();
  started_ = steady_clock::now();
  return true;
}

std::optional<std::uint64_t> RunnerKeeper::enter(const Lane& lane) {
  const std::lock_guard lock(mutex_);
  if (status_.state != RunnerState::ready || stopping_) return std::nullopt;
  lane.pass_to(LaneTurn::runner);
  return runner_;
}

bool RunnerKeeper::answer(const Lane& lane, std::uint64_t runner) {
  const std::lock_guard lock(mutex_);
  if (runner != runner_ || status_.state != RunnerState::ready) return false;
  lane.pass_to(LaneTurn::runner);
  return true;
}

std::optional<std::string> RunnerKeeper::ending_of(std::uint64_t runner) const {
  const std::lock_guard lock(mutex_);
  if (runner == runner_ && status_.state == RunnerState::ready) return std::nullopt;
  return status_.last_ending;
}

std::string RunnerKeeper::await_ending(std::uint64_t runner) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this, runner] { return runner != runner_ || status_.state != RunnerState::ready; });
  return status_.last_ending;
}

void RunnerKeeper::kill(std::uint64_t runner, const std::string& cause) {
  const std::lock_guard lock(mutex_);
  if (runner != runner_ || process_ == nullptr) return;
  if (killed_for_.empty()) killed_for_ = cause;
  process_->kill();
}

bool RunnerKeeper::blames(std::string_view request) const {
  const std::lock_guard lock(mutex_);
  return blamed_.empty() ? was_alone_ : blamed_ == request;
}

RunnerStatus RunnerKeeper::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

Result<void> RunnerKeeper::await_ready(TimePoint deadline) {
  std::unique_lock lock(mutex_);
  const auto is_decided = [this] { return status_.state != RunnerState::starting; };
  if (deadline == TimePoint::max()) {
    changed_.wait(lock, is_decided);
  } else {
    changed_.wait_until(lock, deadline, is_decided);
  }
  if (status_.state == RunnerState::ready) return {};
  const std::string& driver = plan_.start.driver;
  std::string message = "driver '" + driver + "' is not called: its process " + status_.last_ending;
  if (status_.state == RunnerState::waiting) {
    const auto left = std::chrono::duration_cast<milliseconds>(next_start_ - steady_clock::now()).count();
    message += ", and is started again in " + std::to_string(std::max<long long>(left, 0)) + " ms";
  } else {
    message += ", and the next one is not ready yet";
  }
  return Error{ErrorCode::unavailable, std::move(message), {}};
}

// Says how the newest runner ended, and lets go of the calls that wait for it.
void RunnerKeeper::note_end(const std::string& ending) {
  std::string told;
  std::string crash;
  const bool was_alone = free_lanes_.taken() == 1;
  {
    const std::lock_guard lock(mutex_);
    process_ = nullptr;
    status_.process = 0;
    ++status_.ends;
    told = killed_for_.empty() ? ending : killed_for_;
    crash = crash_;
    status_.last_ending = told;
    status_.last_crash = crash;
    blamed_ = request_in(crash);
    was_alone_ = was_alone;
    ends_in_a_row_ = steady_clock::now() - started_ < long_life ? ends_in_a_row_ + 1 : 1;
    next_start_ = steady_clock::now() + pause_after(ends_in_a_row_);
    status_.state = RunnerState::waiting;
    if (pause_after(ends_in_a_row_) == milliseconds(0)) status_.state = RunnerState::starting;
    // Its waiters see by the state that it is over. No other runner has the number.
    if (status_.state == RunnerState::starting) ++runner_;
  }
  free_lanes_.empty_all();
  changed_.notify_all();
  for (std::uint32_t lane = 0; lane < lanes_.count(); ++lane) lanes_.lane(lane).pass_to(LaneTurn::service);
  counters_->add("driver_process_ends", plan_.start.driver, 1);
  logger_->write(telemetry::Level::error, "a driver's process has ended",
                 {{"driver", plan_.start.driver}, {"reason", told}, {"crash", crash}});
}

bool RunnerKeeper::pause_before_next() {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, next_start_, [this] { return stopping_; });
  return !stopping_;
}

}  // namespace gantry::drivers::isolated
