// SPDX-License-Identifier: Apache-2.0
//
// Writes a translation as a configuration file of Gantry with a comment for each option, or as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/cli/nova/chosen_level.hpp"
#include "core/config/nova/translation.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli::nova {

// Returns the text of a configuration file. Its head names `files`, the nova.conf files that were read.
std::string written_as_toml(const config::nova::Translation& translation, const std::vector<std::string>& files,
                            const LevelReview& review);
json::object written_as_json(const config::nova::Translation& translation, const LevelReview& review);

// Returns "[scheduler] workers = 4 (/etc/nova/nova.conf:12): why". Control characters are escaped.
std::string line_of(const config::nova::LeftOut& left_out);
// Returns the title and a line for each option, as comments; nothing for an empty list.
std::string list_of(const std::vector<config::nova::LeftOut>& list, const std::string& title);
json::array json_of(const std::vector<config::nova::LeftOut>& list);

}  // namespace gantry::cli::nova
