// SPDX-License-Identifier: Apache-2.0
//
// The part of a RunnerKeeper that watches a runner while it is ready.
#include <poll.h>
#include <sys/eventfd.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/runner_keeper.hpp"

namespace gantry::drivers::isolated {

namespace {

constexpr std::chrono::seconds sample_interval{1};
constexpr std::chrono::seconds long_use{10};
constexpr std::uint32_t most_lines = 1000;  // in a minute
constexpr std::size_t longest_line = 2000;
constexpr std::string_view crash_mark = "crash report: ";

// As journald reads it: a line may begin with its level.
std::optional<telemetry::Level> take_level(std::string_view& line) {
  if (line.size() < 3 || line[0] != '<' || line[1] < '0' || line[1] > '7' || line[2] != '>') return std::nullopt;
  const int priority = line[1] - '0';
  line.remove_prefix(3);
  if (priority == LOG_DEBUG) return telemetry::Level::debug;
  if (priority >= LOG_NOTICE) return telemetry::Level::info;
  return priority == LOG_WARNING ? telemetry::Level::warning : telemetry::Level::error;
}

}  // namespace

void RunnerKeeper::watch(RunnerProcess& process, Watched& watched) {
  while (look_at(process, watched)) {
  }
  if (is_stopping() && !process.is_over()) end_driver(process);
  read_printed(process, watched);
}

// Returns false once the runner or the service ends.
bool RunnerKeeper::look_at(RunnerProcess& process, Watched& watched) {
  std::array<pollfd, 3> open{
      {{process.process().number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}, {process.printed().number(), POLLIN, 0}}};
  const int wait = plan_.cpu_limit == 0 && plan_.process.memory_limit == 0 ? -1 : 1000;
  if (::poll(open.data(), open.size(), wait) < 0) return errno == EINTR;
  read_printed(process, watched);
  if (open[0].revents != 0 || is_stopping()) return false;
  check_processor_time(process, watched);
  check_lanes();
  // Its other end is closed, though the process goes on: there is nothing to wait for.
  if ((open[2].revents & POLLIN) == 0 && (open[2].revents & POLLHUP) != 0) {
    std::array<pollfd, 2> rest{open[0], open[1]};
    ::poll(rest.data(), rest.size(), 1000);
  }
  return true;
}

void RunnerKeeper::read_printed(const RunnerProcess& process, Watched& watched) {
  std::array<char, 4096> buffer{};
  // One that prints without end must not keep this thread from seeing the rest.
  constexpr int most_reads = 16;
  for (int reads = 0; reads < most_reads; ++reads) {
    const ssize_t count = ::read(process.printed().number(), buffer.data(), buffer.size());
    if (count <= 0) return;
    for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(count))) {
      if (c != '\n') {
        if (watched.line.size() < longest_line) watched.line += c;
        continue;
      }
      take_line(watched);
      watched.line.clear();
    }
  }
}

void RunnerKeeper::take_line(Watched& watched) {
  std::string_view line = watched.line;
  watched.last_line = watched.line;
  if (const auto found = line.find(crash_mark); found != std::string_view::npos) {
    const std::lock_guard lock(mutex_);
    const auto crash = line.substr(found + crash_mark.size());
    crash_ = crash.substr(0, crash.find(';'));
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - watched.lines_since >= std::chrono::minutes(1)) {
    watched.lines = 0;
    watched.lines_since = now;
  }
  if (++watched.lines > most_lines) {
    if (watched.lines == most_lines + 1)
      logger_->write(telemetry::Level::warning,
                     "a driver's process prints more than 1000 lines a minute: the rest is left out",
                     {{"driver", plan_.start.driver}});
    return;
  }
  if (const auto level = take_level(line)) return logger_->write(*level, line, {{"driver", plan_.start.driver}});
  logger_->write(telemetry::Level::warning, "a driver's process printed a line",
                 {{"driver", plan_.start.driver}, {"line", std::string(line)}});
}

// The lanes are not among what the kernel counts against the runner's memory_limit.
void RunnerKeeper::check_lanes() {
  const auto limit = plan_.process.memory_limit;
  const auto bytes = lanes_.bytes();
  if (limit == 0 || bytes <= limit) return;
  kill(runner_,
       "was ended, for it wrote " + std::to_string(bytes >> 20) +
           " MiB into the memory that it shares with the service (memory_limit: " + std::to_string(limit >> 20) + ")");
}

void RunnerKeeper::check_processor_time(const RunnerProcess& process, Watched& watched) {
  if (plan_.cpu_limit == 0) return;
  const auto now = std::chrono::steady_clock::now();
  auto& samples = watched.samples;
  if (!samples.empty() && now - samples.back().time < sample_interval) return;
  samples.push_back({now, process.processor_time()});
  if (now - samples.front().time < long_use) return;
  const auto used = samples.back().used - samples.front().used;
  const auto percent = used * 100 / (now - samples.front().time);
  samples.pop_front();
  if (percent <= plan_.cpu_limit) return;
  kill(runner_, "was ended, for it used " + std::to_string(percent) +
                    " % of a processor for 10 s (cpu_limit: " + std::to_string(plan_.cpu_limit) + ")");
}

// No call is under way.
void RunnerKeeper::end_driver(const RunnerProcess& process) {
  const Lane lane = lanes_.lane(0);
  InputWriter to(lane.input());
  auto* const input = to.make(CallInput());
  input->operation = Operation::destroy;
  lane.pass_to(LaneTurn::runner);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (std::chrono::steady_clock::now() < until && !process.is_over()) {
    if (lane.wait_for(LaneTurn::service, std::chrono::steady_clock::now() + std::chrono::milliseconds(20))) return;
  }
}

}  // namespace gantry::drivers::isolated
