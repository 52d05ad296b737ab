// SPDX-License-Identifier: Apache-2.0
//
// Reads options from a list of nova.conf files by oslo.config's rules: later files and later lines win, an option may
// have older names, and values may refer to other options as $name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cli/nova/conf_file.hpp"

namespace gantry::cli::nova {

struct OptionName {
  std::string_view section;
  std::string_view key;
};

// The file, line and name of a found option.
struct Place {
  std::string section;
  std::string key;
  std::string file;
  unsigned line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
  std::string name() const { return "[" + section + "] " + key; }
};

struct Found {
  std::vector<std::string> values;  // one value, or all of a multi-valued option, with references resolved
  Place place;                      // of the last value
};

class Conf {
 public:
  Conf(const Conf&) = delete;
  Conf& operator=(const Conf&) = delete;
  explicit Conf(std::vector<ConfFile> files);

  // Finds an option from the last file on, under the first of its names that a file has. nullopt if no file has it. The
  // error names the reference that cannot be resolved. place_of gives its place.
  Result<std::optional<Found>> find(const std::vector<OptionName>& names, bool multi = false) const;
  std::optional<Place> place_of(const std::vector<OptionName>& names) const;

  // Returns the last place of each option in the files, by section and key.
  std::vector<Place> all() const;

 private:
  struct Raw {
    std::vector<std::string> values;
    Place place;
  };
  std::optional<Raw> find_raw(const std::vector<OptionName>& names, bool multi) const;
  // The remaining bounds of one resolution, so that it ends for any files.
  struct Effort {
    unsigned depth = 0;
    unsigned references = 0;
  };
  Result<std::string> resolve(std::string_view section, std::string_view text, Effort& left) const;
  Result<std::string> referred(std::string_view section, std::string_view name, Effort& left) const;

  std::vector<ConfFile> files_;
  // One map per file: from an option (section, name) to the indexes of the option's assignments in that file.
  std::vector<std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>>> index_;
};

}  // namespace gantry::cli::nova
