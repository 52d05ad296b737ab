// SPDX-License-Identifier: Apache-2.0
//
// What a driver's one exported function returns, checked field by field against its manifest.
#pragma once

#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/library.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// A copy of the driver's operations; those that its maker did not know are NULL.
Result<gantry_driver_ops> check_entry(const DriverFile& file, const Library& library);
// The same for what the entry returned.
Result<gantry_driver_ops> check_info(const DriverFile& file, const gantry_driver_info* info);

}  // namespace gantry::drivers
