// SPDX-License-Identifier: Apache-2.0
//
// Parses a nova.conf: oslo.config's INI with sections, comments, continuation lines and repeated keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli::nova {

// One "key = value", with continuation lines joined by '\n' and without quotes around the whole value.
struct Assignment {
  std::string section;  // in lower case, except DEFAULT
  std::string key;
  std::string value;
  unsigned line = 0;  // of the key
};

struct ConfFile {
  std::string name;
  std::vector<Assignment> assignments;  // in the order of the file
};

// The error names file, line, expected and found.
Result<ConfFile> parse_conf_file(std::string_view text, std::string name);

}  // namespace gantry::cli::nova
