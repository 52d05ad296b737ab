// SPDX-License-Identifier: Apache-2.0
//
// The file that says that no requests are taken, so that a restart keeps the pause. No pause before read().
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/result.hpp"

namespace gantry::nova {

// [any thread]
class PauseMark {
 public:
  explicit PauseMark(std::string path) : path_(std::move(path)) {}

  // Reads the file. One that cannot be read counts as a pause.
  void read();

  // Sets or removes the mark. If that fails, the mark holds until the process ends, and the error names the file.
  Result<void> set(bool is_paused);
  // The time in ISO 8601. nullopt: there is no pause.
  std::optional<std::string> since() const;

 private:
  const std::string path_;
  mutable std::mutex mutex_;
  std::optional<std::string> since_;
};

}  // namespace gantry::nova
