// SPDX-License-Identifier: Apache-2.0
//
// A list of texts as TOML, for the configurations that the verbs write and try.
#pragma once

#include <string>
#include <vector>

#include "core/config/sources/tree.hpp"

namespace gantry::cli {

inline std::string toml_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + config::to_toml(text);
  return "[" + list + "]";
}

}  // namespace gantry::cli
