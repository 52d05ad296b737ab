// SPDX-License-Identifier: Apache-2.0
//
// The release of Nova that an import is for: told, found in the databases that the files name, or the newest.
#pragma once

#include <string>
#include <vector>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/level_defaults.hpp"
#include "core/config/nova/translation.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli::nova {

struct ChosenLevel {
  config::nova::Release release;
  std::string how;                    // "told", "found" or "default"
  std::vector<std::string> could_be;  // found: the levels that the databases do not tell apart; one if they tell
  std::vector<std::string> signs;     // a sentence each, for people
  std::vector<std::string> warnings;

  // Returns the sentence that says which level it is, and how it came.
  std::string summary() const;
};

// The level with what it means for the site, for review.
struct LevelReview {
  ChosenLevel level;
  std::vector<config::nova::OtherDefault> defaults;

  // Returns lines that begin with #. Control characters are escaped.
  std::string level_as_comments() const;
  std::string defaults_as_comments() const;
  // Adds "compatibility", "level" and "defaults".
  void add_to(json::object& document) const;
};

// `told` is the value of --compatibility: the name of a release, or empty. `files` are names that another program can open. Fails with
// failed_precondition, and says how to tell the release, if the files name a database and it does not show the release.
Result<ChosenLevel> choose_level(const std::string& told, const config::nova::Conf& conf,
                                 const std::vector<std::string>& files);

}  // namespace gantry::cli::nova
