// SPDX-License-Identifier: Apache-2.0
//
// The bundled driver lua, which runs a policy in Lua in the place of a shared object that an author builds.
#pragma once

#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::cli {

// Returns the settings as they are without a configuration file and with `driver_directories` of --set alone.
Result<config::Settings> settings_without_file(const Session& session);

// Finds the driver lua in the directories of these settings.
Result<drivers::DriverFile> lua_driver(const Session& session);

}  // namespace gantry::cli
