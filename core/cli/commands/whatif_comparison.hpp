// SPDX-License-Identifier: Apache-2.0
//
// `gantry whatif --compatibility`: which decisions would differ by another release of Nova, and by which rule.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cli/terminal/command.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/config/settings.hpp"

namespace gantry::cli {

// Returns --compatibility and --beside.
std::vector<Option> comparison_options();

// Returns gantryd's settings with further assignments "section.key=value" above those of the command line.
using SettingsWith = std::function<Result<config::Settings>(const std::vector<std::string>& assignments)>;

// The fleet of a comparison: the text of its file, and the file's name.
struct FleetText {
  std::string text;
  std::string source;
};

// Runs the comparison. Returns 0 if all requests were judged and come out the same, and otherwise 4.
Result<int> compare_releases(Session& session, const Arguments& arguments, const SettingsWith& settings_with,
                             FleetText fleet);

}  // namespace gantry::cli
