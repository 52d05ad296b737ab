// SPDX-License-Identifier: Apache-2.0
//
// Merges what a host reports with what it has reported before.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::fleet {

// Sets each member of the report in `stats`. A null value removes its key.
inline void merge_report(json::object& stats, const json::object& report) {
  for (const auto& [key, value] : report) {
    if (value.is_null()) {
      stats.erase(key);
    } else {
      stats.insert_or_assign(key, value);
    }
  }
}

}  // namespace gantry::fleet
