// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings from all their sources and records the origin of each value. A value from a later source replaces
// one from an earlier source. The sources are in this order: defaults, the files of [nova] config_files, the file, its conf.d/*.toml in the order of
// names, environment variables GANTRY_<SECTION>__<KEY> (GANTRY_<KEY> for a key of no section), --set key=value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Where to read the settings.
struct Sources {
  std::string file = "/etc/gantry/gantry.toml";    // empty: neither a file nor drop-ins
  bool file_must_exist = false;                    // true if the user named it
  std::string drop_in_directory;                   // empty: conf.d in the directory of the file
  std::map<std::string, std::string> environment;  // all variables; the ones without GANTRY_ are ignored
  std::vector<std::string> overrides;              // "section.key=value", value in TOML (bare words are text)
  bool reads_nova = true;                          // false: the files of [nova] config_files are left out
};

// A key with its value, for people.
struct Shown {
  std::string key;     // "server.socket"
  std::string value;   // as TOML
  std::string origin;  // "default", "/etc/gantry/gantry.toml:3:1", "environment GANTRY_SERVER__SOCKET", "--set"
};

struct Loaded {
  Sources sources;  // the settings were read from these
  Settings settings;
  std::vector<Shown> shown;  // every key, in the order of the sample file, then the drivers' keys
  std::vector<std::string> warnings;
};

// The error invalid_configuration lists all problems, one on each line: file, line, column, key, expected, found, and
// the nearest key.
Result<Loaded> load(const Sources& sources);

}  // namespace gantry::config
