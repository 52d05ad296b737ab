// SPDX-License-Identifier: Apache-2.0
//
// Runs collectors: the executables of a directory that find further facts about the host for its report. A collector
// called with --provides prints the names of its facts, its keys, one on each line. A collector called without
// arguments prints one JSON object with these keys and their values.
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
  std::set<std::string> provides;  // its keys
  int left_behind = 0;             // id of its last process if that could not be ended; 0: the last process has ended
};

struct CollectorLimits {
  std::chrono::milliseconds timeout{5000};
  std::size_t most_output = std::size_t{256} << 10u;  // bytes
};

// Returns the collectors of a directory in the order of their names. Skips hidden files and files without the
// permission to execute. Skips with a warning a file that other users may change, a file whose --provides fails, and a
// file that prints no valid keys.
Result<std::vector<Collector>> find_collectors(const std::string& directory, const CollectorLimits& limits,
                                               telemetry::Logger& logger, const std::stop_token& stop);

// Runs all collectors that provide a wanted key at the same time. Returns the wanted keys that they provide, with their
// values. If several collectors print a value for one key, the first collector by name counts. A collector that fails
// causes a warning in the log. A provided key that got no value is returned as null, so that the daemon forgets the
// key's older value. A collector whose last process has not ended is not run again and counts as failed.
json::object collect(std::vector<Collector>& collectors, const std::set<std::string>& wanted,
                     const CollectorLimits& limits, telemetry::Logger& logger, const std::stop_token& stop);

}  // namespace gantry::cli::agent
