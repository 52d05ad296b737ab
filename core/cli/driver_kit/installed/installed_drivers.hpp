// SPDX-License-Identifier: Apache-2.0
//
// The drop-in of the configuration that `gantry driver install` and `gantry driver remove` keep. It names the drivers and
// libraries that were installed so, above what the other files say.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::cli {

struct InstalledDrivers {
  std::map<std::string, std::string> drivers;  // name -> the file's path
  std::vector<std::string> libraries;          // files of offers for the driver filter, by their names

  bool empty() const { return drivers.empty() && libraries.empty(); }
};

// The lists of the other files.
struct ConfiguredDrivers {
  std::vector<std::string> scheduler_driver;
  std::vector<std::string> libraries;  // for the driver filter
};

// Returns the drop-in's path, in conf.d of the configuration file or in the directory that --config-dir names.
std::filesystem::path installed_drop_in(const config::Sources& sources);

// Reads the drop-in. An absent one names nothing.
Result<InstalledDrivers> read_installed(const config::Sources& sources);

// Reads the files beside the drop-in.
Result<ConfiguredDrivers> read_configured(const config::Sources& sources);

// The lists that hold with the installed drivers and libraries. `replaced` names the configured drivers that give way,
// for an installed one serves a topic of theirs.
struct MergedDrivers {
  std::vector<std::string> scheduler_driver;
  std::vector<std::string> libraries;
  std::vector<std::string> replaced;
};
MergedDrivers merged(const config::Settings& settings, const ConfiguredDrivers& configured,
                     const InstalledDrivers& installed);

// Returns the drop-in's text.
std::string drop_in_text(const InstalledDrivers& installed, const MergedDrivers& lists);

}  // namespace gantry::cli
