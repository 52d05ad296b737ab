// SPDX-License-Identifier: Apache-2.0
//
// Checks the libraries that [driver.<id>] names, by the same rules as the driver. Internal to this folder.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in driver.offer_libraries and merges the offers into the driver's manifest: the driver uses the columns of its
// offers, and one serial offer makes the driver serial.
Result<void> check_offer_libraries(const config::Settings& settings, const config::DriverSettings& section,
                                   DriverFile& driver);

}  // namespace gantry::drivers
