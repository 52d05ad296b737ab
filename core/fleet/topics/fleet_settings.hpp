// SPDX-License-Identifier: Apache-2.0
//
// The settings of a fleet: times, ratios, and the columns that drivers declare.
#pragma once

#include <cstdint>
#include <string>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

struct FleetSettings {
  Nanoseconds service_down_time = 60'000'000'000;
  Nanoseconds claim_max_age = 600'000'000'000;
  std::string default_availability_zone = "nova";
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;
};

// A stats.NAME column that a driver names in its manifest.
struct ColumnDeclaration {
  std::string name;       // with its "stats." in front
  std::int32_t type = 0;  // GANTRY_TYPE_BOOL, _I64, _F64 or _STRING
  std::string declared_by;
};

}  // namespace gantry::fleet
