// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner_keeper.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/message.hpp"

namespace gantry::drivers::isolated {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds first_pause{100};
constexpr milliseconds longest_pause{30'000};
constexpr std::uint32_t most_ends_in_a_row = 10;
constexpr std::chrono::seconds long_life{60};
constexpr milliseconds time_to_destroy{1000};
constexpr std::size_t longest_text = 4096;

milliseconds pause_after(std::uint32_t ends_in_a_row) {
  if (ends_in_a_row < 2) return milliseconds(0);
  const std::uint32_t doublings = std::min(ends_in_a_row - 2, 20U);
  return std::min(longest_pause, first_pause * (1U << doublings));
}

// libstdc++ says there which exception it was.
std::string last_line_of(const RunnerProcess& process) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(process.printed().number(), buffer.data(), buffer.size());
  std::string text(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  text.erase(text.find_last_not_of('\n') + 1);
  text.erase(0, text.rfind('\n') + 1);
  constexpr std::size_t longest = 300;
  return text.empty() ? text : "; the last line that it printed: " + text.substr(0, longest);
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
      traits = start(*process);
      const bool is_ready = static_cast<bool>(traits);
      note_start(traits);
      if (is_ready) watch(*process);
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
      is_to_be_told = !first_ && !traits->reads_only_its_files;
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
  if (stopping_ || status_.state == RunnerState::given_up) return false;
  ++runner_;
  status_.state = RunnerState::starting;
  killed_for_.clear();
  started_ = steady_clock::now();
  return true;
}

Result<RunnerTraits> RunnerKeeper::start(RunnerProcess& process) {
  const Lane lane = lanes_.lane(0);
  const auto bytes = encode(plan_.start);
  InputWriter to(lane.input());
  auto* const input = to.make(CallInput());
  input->operation = Operation::start;
  input->log_level = static_cast<std::int32_t>(logger_->level());
  input->start = to.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  lane.pass_to(LaneTurn::runner);
  if (Result<void> awaited = await_start(process); !awaited) return std::move(awaited).error();
  return read_start();
}

Result<void> RunnerKeeper::await_start(RunnerProcess& process) {
  const Lane lane = lanes_.lane(0);
  const auto until = steady_clock::now() + plan_.start_limit;
  const std::string expected = plan_.start.files.front().path + ": expected that it loads and its create returns";
  while (!lane.wait_for(LaneTurn::service, std::min(until, steady_clock::now() + milliseconds(20)))) {
    if (process.is_over()) {
      return Error{ErrorCode::invalid_configuration,
                   expected + ", found that its process " + process.await_end() + last_line_of(process),
                   {}};
    }
    if (is_stopping() || steady_clock::now() >= until) {
      return Error{ErrorCode::invalid_configuration,
                   expected + " within " + std::to_string(plan_.start_limit.count()) + " ms, found that it still runs",
                   {}};
    }
  }
  return {};
}

// The message: lines that the driver logged, then a code, a sentence, and which operations the driver has.
Result<RunnerTraits> RunnerKeeper::read_start() const {
  const Lane lane = lanes_.lane(0);
  constexpr std::uint64_t longest = 65536;
  const auto size = std::min(lane.bytes_of_message(), longest);
  const auto shared = lane.message().first(size);
  const std::vector<std::byte> bytes(shared.begin(), shared.end());
  MessageReader from(bytes);
  auto record = from.number<Record>();
  for (; record == Record::log && from.is_sound(); record = from.number<Record>()) log_line(from);
  const bool is_started = record == Record::started;
  const auto is_created = from.number<std::uint8_t>();
  const std::string sentence(from.text().substr(0, longest_text));
  RunnerTraits traits;
  for (bool* const trait : {&traits.hosts_up, &traits.group_hosts, &traits.update_service_capabilities,
                            &traits.call_method, &traits.counts_capacity, &traits.reads_only_its_files})
    *trait = from.number<std::uint8_t>() != 0;
  if (!is_started || !from.is_sound() || !from.is_at_end())
    return Error{ErrorCode::invalid_configuration, "its process sent a message that makes no sense", {}};
  if (is_created == 0) return Error{ErrorCode::invalid_configuration, sentence, {}};
  return traits;
}

// A line of the driver's create.
void RunnerKeeper::log_line(MessageReader& from) const {
  const auto level = from.number<std::int32_t>();
  const auto line = from.text().substr(0, longest_text);
  const auto lowest = static_cast<std::int32_t>(telemetry::Level::debug);
  const auto highest = static_cast<std::int32_t>(telemetry::Level::error);
  if (from.is_sound())
    logger_->write(static_cast<telemetry::Level>(std::clamp(level, lowest, highest)), line,
                   {{"driver", plan_.start.driver}});
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
  if (status_.state == RunnerState::given_up) {
    message += ", and so did those before, so it is given up until a reload";
  } else if (status_.state == RunnerState::waiting) {
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
  bool is_given_up = false;
  {
    const std::lock_guard lock(mutex_);
    process_ = nullptr;
    status_.process = 0;
    ++status_.ends;
    told = killed_for_.empty() ? ending : killed_for_;
    status_.last_ending = told;
    ends_in_a_row_ = steady_clock::now() - started_ < long_life ? ends_in_a_row_ + 1 : 1;
    is_given_up = ends_in_a_row_ >= most_ends_in_a_row;
    next_start_ = steady_clock::now() + pause_after(ends_in_a_row_);
    status_.state = is_given_up ? RunnerState::given_up : RunnerState::waiting;
    if (pause_after(ends_in_a_row_) == milliseconds(0)) status_.state = RunnerState::starting;
    // Its waiters see by the state that it is over. No other runner has the number.
    if (status_.state == RunnerState::starting) ++runner_;
  }
  changed_.notify_all();
  for (std::uint32_t lane = 0; lane < lanes_.count(); ++lane) lanes_.lane(lane).pass_to(LaneTurn::service);
  counters_->add("driver_process_ends", plan_.start.driver, 1);
  logger_->write(telemetry::Level::error,
                 is_given_up ? "a driver's process has ended and is given up" : "a driver's process has ended",
                 {{"driver", plan_.start.driver}, {"reason", told}});
}

bool RunnerKeeper::pause_before_next() {
  std::unique_lock lock(mutex_);
  if (status_.state == RunnerState::given_up) return false;
  changed_.wait_until(lock, next_start_, [this] { return stopping_; });
  return !stopping_;
}

}  // namespace gantry::drivers::isolated
