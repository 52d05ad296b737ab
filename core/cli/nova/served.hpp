// SPDX-License-Identifier: Apache-2.0
//
// Writes, for review, the settings that the files of a Nova deployment come to when Gantry takes the place of its
// scheduler.
#pragma once

#include <string>
#include <vector>

#include "core/cli/nova/chosen_level.hpp"
#include "core/cli/terminal/text_table.hpp"
#include "core/config/load.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli::nova {

class ServedSettings {
 public:
  // `loaded` is read from `files` alone, and from the name of the level. `no_counterpart` is what Gantry does not follow.
  ServedSettings(std::vector<std::string> files, const config::Loaded& loaded,
                 std::vector<config::nova::LeftOut> no_counterpart, LevelReview review);

  // Returns a configuration file that names the files and the release. Values of the files stand in it as comments.
  std::string as_toml() const;
  json::object as_json() const;
  TextTable as_table() const;

 private:
  std::vector<std::string> files_;
  LevelReview review_;
  std::vector<config::Shown> keys_;     // Gantry's keys that the files set
  std::vector<config::Shown> options_;  // the files' options that Gantry follows without a key of its own
  std::vector<config::nova::LeftOut> no_counterpart_;
};

}  // namespace gantry::cli::nova
