// SPDX-License-Identifier: Apache-2.0
//
// What the configuration says to the fleet and the manager, and what a driver's manifest says to the fleet.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

fleet::FleetSettings fleet_settings(const config::Settings& settings);
ManagerSettings manager_settings(const config::Settings& settings);

// The fleet has each topic and column that a driver names. invalid_configuration: as Fleet::declare_column.
Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest);

}  // namespace gantry::scheduling
