// SPDX-License-Identifier: Apache-2.0
//
// What a section of the config sets, against what a manifest declares for it. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/driver_file.hpp"
#include "core/drivers/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// [driver.<id>.options.*] against the manifests of the driver's libraries. Also refused: options of what none of them
// offers.
Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings);

}  // namespace gantry::drivers
