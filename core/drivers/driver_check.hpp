// SPDX-License-Identifier: Apache-2.0
//
// What is judged of a driver beside its file: its section of the config, and its columns beside those of the drivers
// before it. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/driver.hpp"

namespace gantry::drivers {

// One for all drivers of a start, or of a check.
class DriverCheck {
 public:
  explicit DriverCheck(const config::Settings& settings) : settings_(settings) {}

  const config::DriverSettings& section_of(const std::string& id) const;
  // The columns of a driver that is admitted count for those after it.
  Result<void> admit(const Judged& judged);
  // What an admitted driver's section leaves open.
  std::vector<std::string> warnings(const Judged& judged) const;

 private:
  Result<void> check_columns(const Manifest& manifest) const;

  const config::Settings& settings_;
  const config::DriverSettings no_section_{};
  std::map<std::string, std::pair<std::int32_t, std::string>> declared_;  // column -> type, driver
};

}  // namespace gantry::drivers
