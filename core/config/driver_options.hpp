// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of one [driver.<id>]. Checks the core's own keys. Stores the others, which the driver's manifest
// checks later, and [driver.<id>.options.<offer>], which the manifests of the driver's libraries check.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Returns "expected ..., found ..." if no driver could use the value.
Result<void> put_driver_key(DriverSettings& driver, const Member& member);

// Takes one member of [driver.<id>.options], the section of one offer.
Result<void> put_offer_section(DriverSettings& driver, const Member& member);

// Returns each key as TOML writes it in front of "=", as "options.<offer>.<option>", and the value as TOML. The core's
// own keys come first.
std::vector<std::pair<std::string, std::string>> driver_values(const DriverSettings& driver);

// Returns the value as TOML in one line.
std::string option_text(const OptionValue& value);
// Converts a manifest's default or a driver's key. The error says "expected ..., found ...".
Result<OptionValue> option_from(const Node& node);

}  // namespace gantry::config
