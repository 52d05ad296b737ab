// SPDX-License-Identifier: Apache-2.0
//
// The drivers that a config names, found and judged by file and manifest. Runs nothing of them.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// A driver of the config, judged by its file and manifest but not loaded: what `config check` and `driver list` use.
struct Judged {
  std::string id;
  std::string path;  // where it is, or was looked for
  Result<DriverFile> file;
};

// Where the file of that driver is: its section's path, or <id>.so in driver_directories. The file is not judged.
Result<std::string> find_driver_file(const config::Settings& settings, const std::string& id);

// Finds the file of each driver in settings.scheduler_driver and judges it. Runs nothing.
std::vector<Judged> judge_drivers(const config::Settings& settings);

// Two drivers for one topic, or two of one id: an error that names both.
Result<void> check_topics(const std::vector<Judged>& drivers);

}  // namespace gantry::drivers
