// SPDX-License-Identifier: Apache-2.0
//
// The libraries that [driver.<id>] names, judged as the driver is. Internal to this folder.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in driver.offer_libraries, and adds what the offers mean for the driver to its manifest: their columns are
// among those that it uses, and one serial offer makes it serial.
Result<void> judge_libraries(const config::Settings& settings, const config::DriverSettings& section,
                             DriverFile& driver);

}  // namespace gantry::drivers
