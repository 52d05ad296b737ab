// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/runner_logger.hpp"

#include <unistd.h>

#include <string>

namespace gantry::drivers::isolated {
namespace {

thread_local RunnerLane* lane_of_thread = nullptr;

// As journald reads it.
std::string prefix_of(telemetry::Level level) {
  switch (level) {
    case telemetry::Level::debug: return "<7>";
    case telemetry::Level::info: return "<6>";
    case telemetry::Level::warning: return "<4>";
    default: return "<3>";
  }
}

}  // namespace

RunnerLogger::CallOfThread::CallOfThread(RunnerLane& lane) {
  lane_of_thread = &lane;
}

RunnerLogger::CallOfThread::~CallOfThread() {
  lane_of_thread = nullptr;
}

void RunnerLogger::write(telemetry::Level level, std::string_view message,
                         std::span<const telemetry::Field> /*fields*/) {
  if (!enabled(level)) return;
  if (lane_of_thread != nullptr) {
    lane_of_thread->add(Record::log, [&](MessageWriter& to) {
      to.number(static_cast<std::int32_t>(level));
      to.text(message);
    });
    return;
  }
  std::string line = prefix_of(level);
  line.append(message).append("\n");
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace gantry::drivers::isolated
