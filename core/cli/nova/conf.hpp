// SPDX-License-Identifier: Apache-2.0
//
// What a list of nova.conf files says together, as oslo.config reads them: later files win, and in one file the last
// line; an option may have older names; values refer to other options as $name.
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

// Where an option was found and under which of its names.
struct Place {
  std::string section;
  std::string key;
  std::string file;
  unsigned line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
  std::string name() const { return "[" + section + "] " + key; }
};

struct Found {
  std::vector<std::string> values;  // one, or of a multi-valued option all; references resolved
  Place place;                      // of the last one
};

class Conf {
 public:
  Conf(const Conf&) = delete;
  Conf& operator=(const Conf&) = delete;
  explicit Conf(std::vector<ConfFile> files);

  // The option under the first of its names that a file has, from the last file on. nullopt: none has it. The error
  // says which reference cannot be resolved; place it with place_of.
  Result<std::optional<Found>> find(const std::vector<OptionName>& names, bool multi = false) const;
  std::optional<Place> place_of(const std::vector<OptionName>& names) const;

  // Of each option in the files its last line, by section and key.
  std::vector<Place> all() const;

 private:
  struct Raw {
    std::vector<std::string> values;
    Place place;
  };
  std::optional<Raw> find_raw(const std::vector<OptionName>& names, bool multi) const;
  // What is left of the bounds of one resolution, so that no files keep it busy.
  struct Effort {
    unsigned depth = 0;
    unsigned references = 0;
  };
  Result<std::string> resolve(std::string_view section, std::string_view text, Effort& left) const;
  Result<std::string> referred(std::string_view section, std::string_view name, Effort& left) const;

  std::vector<ConfFile> files_;
  // For each file, of each option the numbers of its assignments.
  std::vector<std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>>> index_;
};

}  // namespace gantry::cli::nova
