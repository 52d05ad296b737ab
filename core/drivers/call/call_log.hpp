// SPDX-License-Identifier: Apache-2.0
//
// The log lines of one driver call, which are bounded: a driver that logs each host in each request would fill the disk
// of the log. Internal to core/drivers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// [any thread]
class CallLog {
 public:
  static constexpr std::uint64_t most_lines = 1000;
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

  CallLog() = default;
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  // Writes how many lines were left out, if some were.
  ~CallLog() { end(); }

  // Writes the line, unless the call has written as much as it may.
  void write(const std::shared_ptr<telemetry::Logger>& logger, telemetry::Level level, const std::string& line,
             const std::vector<telemetry::Field>& fields) {
    if (lines_.fetch_add(1) < most_lines && bytes_.fetch_add(line.size()) < most_bytes)
      return logger->write(level, line, fields);
    if (left_out_.fetch_add(1) == 0) ending_ = std::make_unique<Ending>(Ending{logger, fields});
  }

 private:
  struct Ending {
    std::shared_ptr<telemetry::Logger> logger;
    std::vector<telemetry::Field> fields;
  };

  void end() {
    if (!ending_) return;
    ending_->logger->write(telemetry::Level::warning,
                           std::to_string(left_out_) +
                               " more lines of one call of the driver, left out: expected at most " +
                               std::to_string(most_lines) + " lines or " + std::to_string(most_bytes) + " bytes",
                           ending_->fields);
  }

  std::atomic<std::uint64_t> lines_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> left_out_{0};
  std::unique_ptr<Ending> ending_;  // set by the first line that is left out
};

}  // namespace gantry::drivers
