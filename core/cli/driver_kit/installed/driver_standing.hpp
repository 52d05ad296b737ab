// SPDX-License-Identifier: Apache-2.0
//
// The standing of a driver's file: facts beside its own content.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::cli {

// The SHA-256 of each driver that the daemon runs, by the driver's name.
using RunningDrivers = std::map<std::string, std::string>;

// Asks the daemon. nullopt: no daemon answers.
std::optional<RunningDrivers> running_drivers(Session& session);

// Returns "same" if the daemon runs this file, "changed" if it runs another content under the name, and "no" if it runs
// none.
std::string running_state(const RunningDrivers& running, const std::string& name, const drivers::DriverFile& file);

// Returns the grade in <file>.test.json, which `gantry driver test` writes. nullopt: there is none for this content.
std::optional<std::string> grade_of(const drivers::DriverFile& file);

}  // namespace gantry::cli
