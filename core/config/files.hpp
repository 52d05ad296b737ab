// SPDX-License-Identifier: Apache-2.0
//
// The bytes of configuration files, and which drop-ins there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::config {

struct FileText {
  std::string text;
  bool others_may_write = false;
};

// nullopt: there is no such file. Anything else that keeps it from being read is an error that names file and reason.
Result<std::optional<FileText>> read_file(const std::string& path);

// The *.toml files of a directory by name, hidden ones and other names passed over. nullopt: no such directory.
Result<std::optional<std::vector<std::string>>> drop_ins(const std::string& directory);

}  // namespace gantry::config
