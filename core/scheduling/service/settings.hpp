// SPDX-License-Identifier: Apache-2.0
//
// The settings of the fleet and the manager, taken from the configuration. The fleet's topics and columns, taken from a
// driver's manifest.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

fleet::FleetSettings fleet_settings(const config::Settings& settings);
ManagerSettings manager_settings(const config::Settings& settings);

// Declares each topic and column of a driver to the fleet. Error invalid_configuration as from Fleet::declare_column.
Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest);

}  // namespace gantry::scheduling
