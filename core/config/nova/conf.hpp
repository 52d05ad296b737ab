// SPDX-License-Identifier: Apache-2.0
//
// Reads options from a list of nova.conf files by the rules of oslo.config, the library that Nova reads them with:
// later files and later lines win, an option may have older names, and a value may refer to another option as $name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/nova/conf_file.hpp"

namespace gantry::config::nova {

struct OptionName {
  std::string_view section;
  std::string_view key;
};

// Where an option stands: its section and key, the file and the line.
struct Place {
  std::string section;
  std::string key;
  std::string file;
  unsigned line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
  std::string name() const { return "[" + section + "] " + key; }
};

struct Found {
  std::vector<std::string> values;  // one value, or all values of a multi-valued option; each $name is resolved
  Place place;                      // where the last value stands
};

class Conf {
 public:
  Conf(const Conf&) = delete;
  Conf& operator=(const Conf&) = delete;
  explicit Conf(std::vector<ConfFile> files);

  // Finds an option. `names` are its names, the newest first. The last file that has any of the names wins, and in that
  // file the newest name wins. With `multi`, returns the values of all files and names. Returns nullopt if no file has
  // the option. Returns an error if a $name in a value cannot be resolved.
  Result<std::optional<Found>> find(const std::vector<OptionName>& names, bool multi = false) const;
  // Returns the place of the option that find finds, also if find returns an error. nullopt if no file has the option.
  std::optional<Place> place_of(const std::vector<OptionName>& names) const;

  // Returns all options of the files, sorted by section and key, each with the last place where it stands.
  std::vector<Place> all() const;

 private:
  // A found option before references are resolved.
  struct Raw {
    std::vector<std::string> values;
    Place place;
  };
  std::optional<Raw> find_raw(const std::vector<OptionName>& names, bool multi) const;
  // How many nested references and how many references in all may still be followed to resolve one value.
  struct Effort {
    unsigned depth = 0;
    unsigned references = 0;
  };
  Result<std::string> resolve(std::string_view section, std::string_view given, Effort& left) const;
  Result<std::string> referred(std::string_view section, std::string_view name, Effort& left) const;

  std::vector<ConfFile> files_;
  // One map for each file: from an option (section, key) to the indexes of its assignments in ConfFile::assignments.
  std::vector<std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>>> index_;
};

}  // namespace gantry::config::nova
