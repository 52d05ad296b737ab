// SPDX-License-Identifier: Apache-2.0
//
// The sources of a driver and the way that they are built: by cargo, CMake, make, or as one file by the compiler.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/driver_kit/projects/sdk_places.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::cli {

enum class BuildSystem { cargo, cmake, make, one_source };

struct SourceTree {
  BuildSystem system = BuildSystem::one_source;
  std::filesystem::path directory;
  std::filesystem::path source;  // for one_source
};

// Returns the policy in Lua that the place is, or that the directory holds beside no sources of C or C++. Empty: none. A
// policy's Makefile has tests alone.
std::filesystem::path policy_of(const std::filesystem::path& place);

// Recognizes the sources in a directory, or takes a source file by itself. Errors: not_found, or invalid_argument that
// says what was expected and found.
Result<SourceTree> recognize(const std::filesystem::path& place);

// Returns the directory of what is built, which differs for each sanitizer. `sanitizer` is address, undefined, thread or
// empty.
std::filesystem::path build_directory(const SourceTree& tree, const std::string& sanitizer);

// Builds the sources and judges what came out, each file under the name that its manifest says. Errors: that of a program
// that failed; invalid_configuration if the daemon would refuse a file, or if there is none.
Result<std::vector<drivers::DriverFile>> build(Session& session, const SdkPlaces& sdk, const SourceTree& tree,
                                               const std::string& sanitizer, const std::stop_token& stop);

}  // namespace gantry::cli
