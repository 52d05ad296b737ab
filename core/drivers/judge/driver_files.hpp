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

// Returns the path of a driver's file: the path in its section, or <id>.so in driver_directories. Does not check the
// file.
Result<std::string> find_driver_file(const config::Settings& settings, const std::string& id);

// Finds and checks the file of one driver.
CheckedFile check_driver_file(const config::Settings& settings, const std::string& id);

// Finds and checks the file of each driver in settings.scheduler_driver.
std::vector<CheckedFile> check_driver_files(const config::Settings& settings);

// Fails if two drivers have the same topic or the same id. The error names both.
Result<void> check_topics(const std::vector<CheckedFile>& drivers);

}  // namespace gantry::drivers
