// SPDX-License-Identifier: Apache-2.0
//
// Executables of a directory that collect what the agent itself does not. A collector called with --provides prints
// the keys that it can tell, one a line; called without arguments it prints one JSON object of them.
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::cli::agent {

struct Collector {
  std::string path;
  std::set<std::string> provides;
  int left_behind = 0;  // a process of it that could not be ended
};

struct CollectorLimits {
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{256} << 10u;  // bytes
};

// Collectors in the order of their names. One that others may write to, that cannot be run, or that says nothing
// sensible is passed over with a warning. Hidden files and those that are not executable are passed over silently.
Result<std::vector<Collector>> find_collectors(const std::string& directory, const CollectorLimits& limits,
                                               telemetry::Logger& logger, const std::stop_token& stop);

// Runs those that provide a wanted key, beside each other, and keeps what is wanted of what they declared. Of two that
// provide one key, the first by name counts. A failure is a warning; what was wanted of a collector and not told is
// null, so that no older value stands for it. One whose last process would not end is not run again before it has.
json::object collect(std::vector<Collector>& collectors, const std::set<std::string>& wanted,
                     const CollectorLimits& limits, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
