// SPDX-License-Identifier: Apache-2.0
//
// Finds and checks the files of the drivers that a config names. Runs no code of the files.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// A driver of the config and the outcome of the checks of its file and manifest. The driver is not loaded.
struct CheckedFile {
  std::string id;
  std::string path;         // empty if the file was not found
  Result<DriverFile> file;  // the error if the file was not found or broke a rule
};

// Returns the path of a driver's file: the path in its section, or in driver_directories the file that its section names,
// or else <id>.so. Does not check the file.
Result<std::string> find_driver_file(const config::Settings& settings, const std::string& id);

// Finds and checks the file of one driver. `id` is the name that the driver has in the configuration and, from here on, in
// its manifest.
CheckedFile check_driver_file(const config::Settings& settings, const std::string& id);

// Finds and checks the file of each driver in settings.scheduler_driver.
std::vector<CheckedFile> check_driver_files(const config::Settings& settings);

// Fails if two drivers have the same id, or if two have the same topic and nothing reaches the later one: neither a profile, for
// topic compute, nor another driver as its fallback. The error names both.
Result<void> check_topics(const config::Settings& settings, const std::vector<CheckedFile>& drivers);

}  // namespace gantry::drivers
