// SPDX-License-Identifier: Apache-2.0
//
// Settings that come one at a time: environment variables and --set. Each becomes a small tree with its origin, for the
// interpreter to take like a file's.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

struct Assignments {
  std::vector<Table> trees;  // in the order in which they apply
  std::vector<std::string> problems;
};

// GANTRY_SERVER__SOCKET is server.socket, GANTRY_SCHEDULER_DRIVER scheduler_driver, GANTRY_DRIVER__IP__DEFAULT_PREFIX
// driver.ip.default_prefix. Lists may be written with commas. Variables without GANTRY_ and the programs' own
// (GANTRY_CONFIG, ...) are passed over.
Assignments from_environment(const std::map<std::string, std::string>& environment);

// "section.key=value".
Assignments from_overrides(const std::vector<std::string>& overrides);

}  // namespace gantry::config
