// SPDX-License-Identifier: Apache-2.0
//
// What is judged of a driver beside its file: its section of the config, and its columns beside those of the drivers
// before it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/judge_drivers.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// What a start would find out before it runs a driver: judge_drivers, check_topics, check_options, whether the names of
// filters and the like in its options exist, and whether the columns that the manifests name exist and agree.
struct Checked {
  std::vector<Judged> drivers;  // those that would be loaded
  // A driver with required = false that would be left out, and why; what a driver's section leaves open.
  std::vector<std::string> warnings;
  std::vector<Error> problems;  // any of them ends the start
};
Checked check_drivers(const config::Settings& settings);

// One for all drivers of a start, or of a check. Internal to this folder.
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
