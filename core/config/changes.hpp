// SPDX-License-Identifier: Apache-2.0
//
// Finds the keys whose values differ between two configurations.
#pragma once

#include <string>
#include <vector>

#include "core/config/load.hpp"

namespace gantry::config {

// A key whose value differs.
struct Change {
  std::string key;     // "scheduling.call_timeout", "driver.filter.ram_weight_multiplier"
  std::string before;  // as TOML; **** for a secret; empty: a driver's option was not set
  std::string after;
  std::string origin;          // the place that set the value after
  bool is_reloadable = false;  // false: the change needs a restart
};

// Returns all changes, in the order of the keys. A section [driver.<id>] of a driver that neither configuration loads, by itself or as a fallback,
// has no effect and does not count.
std::vector<Change> changes_between(const Loaded& before, const Loaded& after);

}  // namespace gantry::config
