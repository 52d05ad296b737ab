// SPDX-License-Identifier: Apache-2.0
//
// Runs the executables of a directory that collect further facts for the agent. A collector called with --provides
// prints its keys, one a line. Called without arguments, a collector prints one JSON object with these keys.
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
  int left_behind = 0;  // the id of a process that could not be ended; 0: no such process
};

struct CollectorLimits {
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{256} << 10u;  // bytes
};

// Returns the collectors in the order of their names. Skips hidden files and files without the permission to
// execute. Skips, with a warning, a file that strangers may change, a file that fails to start, and a file that prints
// no valid keys.
Result<std::vector<Collector>> find_collectors(const std::string& directory, const CollectorLimits& limits,
                                               telemetry::Logger& logger, const std::stop_token& stop);

// Runs the collectors that provide a wanted key, all at once, and returns the wanted keys that they declare. If several
// provide one key, the first by name counts. A failure is a warning. A wanted key without a value becomes null, so that
// it replaces an older value. A collector is not run while its last process has not ended.
json::object collect(std::vector<Collector>& collectors, const std::set<std::string>& wanted,
                     const CollectorLimits& limits, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
