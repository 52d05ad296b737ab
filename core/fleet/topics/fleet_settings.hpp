// SPDX-License-Identifier: Apache-2.0
//
// The settings of a fleet: times, ratios, and the columns that drivers declare.
#pragma once

#include <cstdint>
#include <string>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

struct FleetSettings {
  Nanoseconds service_down_time = 60'000'000'000;  // a service whose last heartbeat is older is down
  Nanoseconds claim_max_age = 600'000'000'000;     // an older claim ends
  std::string default_availability_zone = "nova";
  // The ratios of hosts that report none.
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;
};

// A column stats.NAME that a driver declares in its manifest. It shows the value NAME of the hosts' reports.
struct ColumnDeclaration {
  std::string name;         // with "stats." in front
  std::int32_t type = 0;    // GANTRY_TYPE_BOOL, _I64, _F64 or _STRING
  std::string declared_by;  // id of the driver
};

}  // namespace gantry::fleet
