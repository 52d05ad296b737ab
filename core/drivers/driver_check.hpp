// SPDX-License-Identifier: Apache-2.0
//
// Checks the drivers of a config without running them: their files, their sections of the config, and their columns.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// The result of all checks that a start makes before it runs a driver.
struct CheckedDrivers {
  std::vector<CheckedFile> drivers;                    // the drivers that will be loaded
  std::vector<CheckedFile> fallbacks;                  // the fallbacks that scheduler_driver does not name
  std::vector<std::pair<std::string, Error>> skipped;  // ids of drivers that will be left out, and the reasons
  std::vector<std::string> warnings;                   // the warnings of option guards, and those of offers left out
  std::vector<Error> problems;                         // each of them prevents the start
};

// Gets the manifest of each driver that has passed the other checks. The caller declares its columns to the fleet
// there.
using Prepare = std::function<Result<void>(const Manifest&)>;

// Makes these checks: the files, topics and options are valid, the offers that options name exist, the columns that
// manifests name exist, and all manifests give a column the same type. `prepare` may be empty.
CheckedDrivers check_drivers(const config::Settings& settings, const Prepare& prepare);

// Returns an error for each column without a type that the core does not have, of a driver or of the offers of a
// library.
std::vector<Error> column_problems(const Manifest& manifest);

// Checks the drivers of a start one at a time. All drivers of the start need the same object, since it compares their
// columns. Internal to this folder.
class DriverCheck {
 public:
  explicit DriverCheck(const config::Settings& settings) : settings_(settings) {}

  // Returns the settings in [driver.<id>], default settings if the config has no such section.
  const config::DriverSettings& section_of(const std::string& id) const;
  // Checks a driver's options and columns. Drivers that are checked later must give the same columns the same types.
  Result<void> check(const CheckedFile& driver);
  // Returns the warnings of a checked driver's option guards, and those of offers of its libraries that are left out.
  std::vector<std::string> warnings(const CheckedFile& driver) const;

 private:
  std::vector<Error> type_conflicts(const Manifest& manifest) const;

  const config::Settings& settings_;
  const config::DriverSettings no_section_{};
  std::map<std::string, std::pair<std::int32_t, std::string>> declared_;  // column -> type, first driver
};

}  // namespace gantry::drivers
