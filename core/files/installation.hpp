// SPDX-License-Identifier: Apache-2.0
// The installation that this program belongs to. An installation may be moved as a whole: its files find each other by the
// place of the program that runs.
#pragma once

#include <filesystem>
#include <string_view>

namespace gantry::files {

// Returns the directory below which the installation lies.
std::filesystem::path installation_prefix();

// Returns the directory of the libraries below a prefix.
std::filesystem::path library_directory(const std::filesystem::path& prefix);

// Returns the directory of the bundled drivers. The directory need not exist.
std::filesystem::path bundled_driver_directory();

// Returns the path of the installation's program `name`: beside this program, as in a build tree, or else where the
// installation has its programs. If there is none, the path is where programs lie that no user calls by hand.
std::filesystem::path companion_program(std::string_view name);

}  // namespace gantry::files
