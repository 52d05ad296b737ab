// SPDX-License-Identifier: Apache-2.0
//
// Reads configuration files and lists drop-in files: the files of a directory that add to the configuration file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::config {

struct FileText {
  std::string text;
  bool others_may_write = false;  // true: every user of the machine may write to the file
  bool others_may_read = false;   // true: every user of the machine may read the file
};

// Reads a whole file. nullopt if there is no file of that name. Any other failure is an error with the file and reason.
Result<std::optional<FileText>> read_file(const std::string& path);

// Returns the paths of the directory's *.toml files in the order of names, without hidden files. nullopt if there is no
// directory of that name.
Result<std::optional<std::vector<std::string>>> drop_ins(const std::string& directory);

}  // namespace gantry::config
