// SPDX-License-Identifier: Apache-2.0
//
// Checks the answer of a driver's gantry_driver_entry, field by field, against its manifest.
#pragma once

#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/library.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Calls the entry. Returns a copy of the driver's operations. Operations that the driver's ABI did not have yet are
// NULL.
Result<gantry_driver_ops> check_entry(const DriverFile& file, const Library& library);
// The same, for the answer of the entry.
Result<gantry_driver_ops> check_info(const DriverFile& file, const gantry_driver_info* info);

}  // namespace gantry::drivers
