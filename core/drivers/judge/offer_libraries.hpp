// SPDX-License-Identifier: Apache-2.0
//
// Checks the libraries of offers that [driver.<id>] names, by the same rules as the driver. Offers are filters and
// weighers for the driver. Internal to this folder.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in driver.offer_libraries. Changes the driver's manifest: the columns of all offers are added to the columns
// that the driver uses, and one serial offer makes the driver serial. `section` is [driver.<id>].
Result<void> check_offer_libraries(const config::Settings& settings, const config::DriverSettings& section,
                                   DriverFile& driver);

}  // namespace gantry::drivers
