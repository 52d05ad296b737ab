// SPDX-License-Identifier: Apache-2.0
//
// What a section of the config sets, against what a manifest declares for it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Checks [driver.<id>] against the manifest; unknown key, wrong type, out of range: invalid_configuration with the
// key's origin and the nearest name.
Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings);

// [driver.<id>.options.*] against the manifests of the driver's libraries. Also refused: options of what none of them
// offers.
Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings);

// The names in options that take offers: each one is a choice of the driver's own or offered by one of its libraries,
// and none is both.
Result<void> check_offered_names(const DriverFile& driver, const config::DriverSettings& settings);

// Of options that hold none of what guards something; each sentence says where the option stands.
std::vector<std::string> unguarded(const Manifest& manifest, const config::DriverSettings& settings);

// "gantry.toml:9:1: key 'driver.zoo.reserve': expected 'expected', found 'found'; 'advice'", for the messages of these.
Error wrong_option(const std::string& origin, const std::string& key, const std::string& expected,
                   const std::string& found, const std::string& advice);

}  // namespace gantry::drivers
