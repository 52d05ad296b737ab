// SPDX-License-Identifier: Apache-2.0
// The installation that this program belongs to. An installation may be moved as a whole: its files find each other by the
// place of the program that runs.
#pragma once

#include <filesystem>
#include <string_view>

namespace gantry::files {

// Returns the directory of the bundled drivers. The directory need not exist.
std::filesystem::path bundled_driver_directory();

// Returns the path of the installation's program `name` that no user calls by hand: beside this program, as in a build tree,
// or else in the installation's own directory for programs that users do not call. The file need not exist.
std::filesystem::path companion_program(std::string_view name);

}  // namespace gantry::files
