// SPDX-License-Identifier: Apache-2.0
//
// Turns single settings, from environment variables and --set, into small trees. The interpreter takes such a tree like
// the tree of a file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/sources/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

struct Assignments {
  std::vector<Table> trees;           // one for each setting; a later tree replaces an earlier one
  std::vector<std::string> problems;  // a sentence for each setting that is refused
};

// Reads the variables that begin with GANTRY_: GANTRY_SERVER__SOCKET is server.socket, GANTRY_SCHEDULER_DRIVER is
// scheduler_driver, GANTRY_DRIVER__IP__DEFAULT_PREFIX is driver.ip.default_prefix. A list may be written with commas.
// Ignores the programs' own variables, such as GANTRY_CONFIG.
Assignments from_environment(const std::map<std::string, std::string>& environment);

// Reads texts of the form "section.key=value".
Assignments from_overrides(const std::vector<std::string>& overrides);

}  // namespace gantry::config
