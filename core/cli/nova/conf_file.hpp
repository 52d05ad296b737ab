// SPDX-License-Identifier: Apache-2.0
//
// A nova.conf as text: oslo.config's INI, with sections, comments, continuation lines and keys that stand there more
// than once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli::nova {

// One "key = value", continuation lines joined by '\n', quotes around the whole value taken off.
struct Assignment {
  std::string section;  // in small letters, but for DEFAULT
  std::string key;
  std::string value;
  unsigned line = 0;  // of the key
};

struct ConfFile {
  std::string name;
  std::vector<Assignment> assignments;  // in the order of the file
};

// The error names file and line, what was expected and what was found.
Result<ConfFile> parse_conf_file(std::string_view text, std::string name);

}  // namespace gantry::cli::nova
