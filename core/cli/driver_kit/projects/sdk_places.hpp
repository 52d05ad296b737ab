// SPDX-License-Identifier: Apache-2.0
//
// The places of the installed SDK: headers, version scripts, CMake package, pkg-config file and starter projects.
#pragma once

#include <filesystem>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

struct SdkPlaces {
  std::filesystem::path prefix;
  std::filesystem::path include;     // holds gantry/driver.h
  std::filesystem::path maps;        // holds gantry_driver.map and gantry_offers.map
  std::filesystem::path pkg_config;  // holds gantry-sdk.pc
  std::filesystem::path data;        // holds templates/ and rust/, the crate
};

// Returns the places below $GANTRY_SDK, or else below the prefix of the installation that this program belongs to. Error
// not_found: there is no SDK. The message says how to install one.
Result<SdkPlaces> find_sdk(const Session& session);

}  // namespace gantry::cli
