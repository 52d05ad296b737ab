// SPDX-License-Identifier: Apache-2.0
//
// The settings of a fleet: times, ratios, and the columns that drivers declare.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/fleet/records/later_by.hpp"
#include "core/fleet/records/records.hpp"
#include "core/fleet/topics/fleet_limits.hpp"

namespace gantry::fleet {

struct FleetSettings {
  Nanoseconds service_down_time = 60'000'000'000;  // a service whose last heartbeat is older is down
  Nanoseconds claim_max_age = 600'000'000'000;     // an older claim ends
  std::string default_availability_zone = "nova";
  // The ratios of hosts that report none.
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;
  // Some driver reads the column image_properties (Fleet::keep_image_properties). Once it is kept, it stays.
  bool keeps_image_properties = false;
  FleetLimits limits = {};
  // Returns by how much the system clock was stepped since the start of the process. Empty: it never is.
  //
  // The times in records are times of the system clock. The fleet judges ages by steady time, which is the time of the
  // system clock without its steps, so that a step makes no heartbeat and no claim old.
  std::function<Nanoseconds()> clock_steps = {};

  // Convert a time of the system clock to steady time, and back.
  Nanoseconds steady(Nanoseconds time) const { return clock_steps ? later_by(time, -clock_steps()) : time; }
  Nanoseconds unsteady(Nanoseconds time) const { return clock_steps ? later_by(time, clock_steps()) : time; }
};

// A column stats.NAME that a driver declares in its manifest. It shows the value NAME of the hosts' reports.
struct ColumnDeclaration {
  std::string name;         // with "stats." in front
  std::int32_t type = 0;    // GANTRY_TYPE_BOOL, _I64, _F64 or _STRING
  std::string declared_by;  // id of the driver
};

}  // namespace gantry::fleet
