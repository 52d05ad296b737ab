// SPDX-License-Identifier: Apache-2.0
//
// Parses a nova.conf: the INI format of the library oslo.config, with sections, comments, continuation lines and
// repeated keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::config::nova {

// One "key = value" of a file. The value contains its continuation lines, joined by '\n'. Quotes around the value are
// removed.
struct Assignment {
  std::string section;  // in lower case, except DEFAULT
  std::string key;
  std::string value;
  unsigned line = 0;  // the line of the key, from 1
};

struct ConfFile {
  std::string name;
  std::vector<Assignment> assignments;  // in the order of the file
};

// Parses the text of a file. `name` is the file's name. The error names file, line, expected and found.
Result<ConfFile> parse_conf_file(std::string_view text, std::string name);

}  // namespace gantry::config::nova
