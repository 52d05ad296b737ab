// SPDX-License-Identifier: Apache-2.0
//
// The keys of one [driver.<id>]: the core's own are checked here, every other is kept for the driver's manifest to
// judge, and those of [driver.<id>.options.<offer>] for the manifests of its libraries.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// "expected ..., found ..." if the value is of no use to any driver.
Result<void> put_driver_key(DriverSettings& driver, const Member& member);

// The member of [driver.<id>.options]: one offer's section.
Result<void> put_offer_section(DriverSettings& driver, const Member& member);

// Every key as it stands in front of "=", "options.<offer>.<option>" among them, and its value as TOML; the core's own
// first.
std::vector<std::pair<std::string, std::string>> driver_values(const DriverSettings& driver);

// As TOML in one line.
std::string option_text(const OptionValue& value);
// What a manifest's default or a driver's key may be; the error says "expected ..., found ...".
Result<OptionValue> option_from(const Node& node);

}  // namespace gantry::config
