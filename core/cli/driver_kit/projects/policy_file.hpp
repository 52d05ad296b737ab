// SPDX-License-Identifier: Apache-2.0
//
// A policy in Lua: a text that the bundled driver lua runs, in the place of a shared object that an author builds.
#pragma once

#include <filesystem>

#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::cli {

// Returns the policy that the place is, or that the directory holds beside no sources of C or C++. Empty: none. A
// policy's Makefile has tests alone.
std::filesystem::path policy_of(const std::filesystem::path& place);

// Returns the settings as they are without a configuration file and with `driver_directories` of --set alone.
Result<config::Settings> settings_without_file(const Session& session);

// Finds the driver lua in the directories of these settings.
Result<drivers::DriverFile> driver_of_policies(const Session& session);

}  // namespace gantry::cli
