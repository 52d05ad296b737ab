// SPDX-License-Identifier: Apache-2.0
//
// Checks the info struct that a driver's gantry_driver_entry returns, field by field, against the driver's manifest.
#pragma once

#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/library.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Calls the entry and checks its answer. Returns a copy of the driver's table of operations. An operation that is newer
// than the driver's ABI version is NULL.
Result<gantry_driver_ops> check_entry(const DriverFile& file, const Library& library);
// Checks `info`, the answer of the entry, and returns the same as check_entry.
Result<gantry_driver_ops> check_info(const DriverFile& file, const gantry_driver_info* info);

}  // namespace gantry::drivers
