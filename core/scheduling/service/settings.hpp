// SPDX-License-Identifier: Apache-2.0
//
// Converts the configuration to the settings of the fleet and the manager. Declares the topics and columns of a
// driver's manifest to the fleet.
#pragma once

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

fleet::FleetSettings fleet_settings(const config::Settings& settings);
ManagerSettings manager_settings(const config::Settings& settings);
// Returns how decisions are kept. nullopt: they are not. `logger` is for the archive.
std::optional<DecisionLogSettings> decision_log_settings(const config::Settings& settings,
                                                         std::shared_ptr<telemetry::Logger> logger);

// Declares each topic and column of a driver to the fleet. Error invalid_configuration if Fleet::declare_column refuses
// a column.
Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest, const config::Settings& settings);
// Returns whether the driver reads the column image_properties with these settings, which the fleet keeps only then
// (FleetSettings::keeps_image_properties).
bool reads_image_properties(const drivers::Manifest& manifest, const config::Settings& settings);

}  // namespace gantry::scheduling
