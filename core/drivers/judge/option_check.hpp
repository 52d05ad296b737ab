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

// The checks below list all problems in the message of one error, one on each line.

// Checks [driver.<id>] against the manifest. Fails with invalid_configuration for an unknown key, a missing key, a
// wrong type or a value out of range. The message says where the key is set and, for an unknown key, the nearest known
// name.
Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings);

// Checks [driver.<id>.options.<offer>], the options of a filter or weigher, against the manifests of the driver's
// libraries. Fails if no library has the offer.
Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings);

// Checks the options whose values are names of offers (OptionDeclaration::offers). Each name must be a choice of the
// option or an offer of one of the driver's libraries. Fails also if an offer has the name of a choice.
Result<void> check_offered_names(const DriverFile& driver, const config::DriverSettings& settings);

// Returns the warnings of the guards (OptionGuard) whose option contains none of the guard's choices. Each warning says
// where the option is set.
std::vector<std::string> guard_warnings(const Manifest& manifest, const config::DriverSettings& settings);

// Returns the error "<origin>: key '<key>': expected <expected>, found <found>; <advice>". An origin is a place in a
// file, e.g. "gantry.toml:9:1". A key is e.g. "driver.zoo.reserve".
Error wrong_option(const std::string& origin, const std::string& key, const std::string& expected,
                   const std::string& found, const std::string& advice);

}  // namespace gantry::drivers
