// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings from all their sources and records the origin of each. A later source replaces an earlier one:
// defaults, the file, its conf.d/*.toml in the order of names, environment GANTRY_<SECTION>__<KEY> (GANTRY_<KEY> for a
// key of no section), --set key=value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"

namespace gantry::config {

struct Sources {
  std::string file = "/etc/gantry/gantry.toml";
  bool file_must_exist = false;                    // true if the user named it
  std::string drop_in_directory;                   // empty: conf.d beside the file
  std::map<std::string, std::string> environment;  // all variables; the ones without GANTRY_ are ignored
  std::vector<std::string> overrides;              // "section.key=value", value in TOML (bare words are text)
};

struct Shown {
  std::string key;     // "server.socket"
  std::string value;   // as TOML
  std::string origin;  // "default", "/etc/gantry/gantry.toml:3:1", "environment GANTRY_SERVER__SOCKET", "--set"
};

struct Loaded {
  Settings settings;
  std::vector<Shown> shown;  // every key, in the order of the sample
  std::vector<std::string> warnings;
};

// invalid_configuration lists all problems, one a line: file, line, column, key, expected, found, nearest key.
Result<Loaded> load(const Sources& sources);

}  // namespace gantry::config
