// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of a Nova deployment.
#pragma once

#include <string>
#include <vector>

#include "core/config/nova/conf_file.hpp"
#include "core/result.hpp"

namespace gantry::config::nova {

// Returns the paths with each directory replaced by its *.conf in the order of their names, as --config-dir of Nova's
// services has them.
Result<std::vector<std::string>> with_directories_opened(const std::vector<std::string>& paths);

struct WantedFiles {
  std::vector<ConfFile> files;
  std::vector<std::string> problems;  // a sentence for each file that is missing, unreadable or malformed
  std::vector<std::string> warnings;
};
WantedFiles read_wanted_files(const std::vector<std::string>& paths);

}  // namespace gantry::config::nova
