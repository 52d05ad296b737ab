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
  std::vector<std::string> warnings;  // drivers that would be left out and why, and warnings of option guards
  std::vector<Error> problems;        // each of them prevents the start
};
// Makes these checks: check_driver_files, check_topics, check_options, whether the offers named in options exist, and
// whether the columns of the manifests exist and have one type each.
CheckedDrivers check_drivers(const config::Settings& settings);

// Checks one driver after the other. One object for all drivers of a start. Internal to this folder.
class DriverCheck {
 public:
  explicit DriverCheck(const config::Settings& settings) : settings_(settings) {}

  const config::DriverSettings& section_of(const std::string& id) const;
  // Checks a driver's options and columns. The columns of later drivers must agree with the columns of this one.
  Result<void> check(const CheckedFile& driver);
  // Returns the warnings of the option guards of a checked driver.
  std::vector<std::string> warnings(const CheckedFile& driver) const;

 private:
  Result<void> check_columns(const Manifest& manifest) const;

  const config::Settings& settings_;
  const config::DriverSettings no_section_{};
  std::map<std::string, std::pair<std::int32_t, std::string>> declared_;  // column -> type, driver
};

}  // namespace gantry::drivers
