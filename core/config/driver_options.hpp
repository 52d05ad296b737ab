// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of one [driver.<id>]. Checks the core's own keys and stores them. Stores the other keys, which are
// later checked against the driver's manifest. Stores the keys of [driver.<id>.options.<offer>], which are later
// checked against the manifests of the driver's libraries. An offer is a filter or weigher of such a library.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/config/sources/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Stores one key of [driver.<id>]. The error says "expected ..., found ...".
Result<void> put_driver_key(DriverSettings& driver, const Member& member);

// Stores one member of [driver.<id>.options]: the section of one offer with all its keys.
Result<void> put_offer_section(DriverSettings& driver, const Member& member);

// Returns all keys of the driver with their values, both as TOML writes them. An offer's key is
// "options.<offer>.<option>". The core's own keys come first.
std::vector<std::pair<std::string, std::string>> driver_values(const DriverSettings& driver);

// Returns the value as TOML in one line.
std::string option_text(const OptionValue& value);
// Converts the value of an option, from the configuration or from a manifest's default. The error says "expected ...,
// found ...".
Result<OptionValue> option_from(const Node& node);

}  // namespace gantry::config
