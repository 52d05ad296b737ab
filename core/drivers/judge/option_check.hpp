// SPDX-License-Identifier: Apache-2.0
//
// Checks a driver's section of the config against the options that its manifest declares.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Checks [driver.<id>] against the manifest. Fails with invalid_configuration for an unknown key, a wrong type or a
// value out of range. The message has the key's origin and the nearest name.
Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings);

// Checks [driver.<id>.options.*] against the manifests of the driver's libraries. Fails for the options of an unknown
// offer.
Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings);

// Checks the names in options that accept offers. Each name is either a choice of the driver or an offer of one of its
// libraries. An offer must not have the name of a choice.
Result<void> check_offered_names(const DriverFile& driver, const config::DriverSettings& settings);

// Returns the warnings of all guards whose choices are missing in their option. Each warning says where the option is
// set.
std::vector<std::string> guard_warnings(const Manifest& manifest, const config::DriverSettings& settings);

// Returns the error "gantry.toml:9:1: key 'driver.zoo.reserve': expected <expected>, found <found>; <advice>".
Error wrong_option(const std::string& origin, const std::string& key, const std::string& expected,
                   const std::string& found, const std::string& advice);

}  // namespace gantry::drivers
