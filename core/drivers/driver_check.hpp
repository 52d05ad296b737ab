// SPDX-License-Identifier: Apache-2.0
//
// Checks the drivers of a config without running them: their files, their sections of the config, and their columns.
#pragma once

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
  std::vector<CheckedFile> drivers;   // the drivers that would be loaded
  std::vector<std::string> warnings;  // drivers that would be left out, with reasons; warnings of option guards
  std::vector<Error> problems;        // each of them prevents the start
};
// Makes these checks: the files, topics and options are valid, the offers that options name exist, the columns that
// manifests name exist, and all manifests give a column the same type.
CheckedDrivers check_drivers(const config::Settings& settings);

// Checks the drivers of a start one at a time. All drivers of the start need the same object, since it compares their
// columns. Internal to this folder.
class DriverCheck {
 public:
  explicit DriverCheck(const config::Settings& settings) : settings_(settings) {}

  // Returns the settings in [driver.<id>], default settings if the config has no such section.
  const config::DriverSettings& section_of(const std::string& id) const;
  // Checks a driver's options and columns. Drivers that are checked later must give the same columns the same types.
  Result<void> check(const CheckedFile& driver);
  // Returns the warnings of the option guards of a checked driver.
  std::vector<std::string> warnings(const CheckedFile& driver) const;

 private:
  Result<void> check_columns(const Manifest& manifest) const;

  const config::Settings& settings_;
  const config::DriverSettings no_section_{};
  std::map<std::string, std::pair<std::int32_t, std::string>> declared_;  // column -> type, first driver
};

}  // namespace gantry::drivers
