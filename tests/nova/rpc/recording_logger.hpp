// SPDX-License-Identifier: Apache-2.0
//
// Keeps the lines of a log for a test.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "core/telemetry/log.hpp"

namespace gantry::nova {

// [any thread]
class RecordingLogger : public telemetry::Logger {
 public:
  bool enabled(telemetry::Level) const override { return true; }
  void write(telemetry::Level, std::string_view message, std::span<const telemetry::Field> fields) override {
    const std::lock_guard lock(mutex_);
    text_ += message;
    for (const auto& field : fields) text_.append(" ").append(field.key).append("=").append(field.value);
    text_ += '\n';
  }
  Result<void> reopen() override { return {}; }

  // All lines, each with its end.
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  bool has(std::string_view words) const { return text().find(words) != std::string::npos; }
  int count(std::string_view words) const {
    const auto all = text();
    int found = 0;
    for (auto at = all.find(words); at != std::string::npos; at = all.find(words, at + 1)) ++found;
    return found;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    text_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace gantry::nova
