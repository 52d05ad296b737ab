// SPDX-License-Identifier: Apache-2.0
//
// Translates lists of Nova's filters and weighers by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/nova/translation.hpp"

namespace gantry::cli::nova {

struct KnownNames {
  std::vector<std::string> names;    // the names that Gantry has, in order
  std::vector<std::string> unknown;  // the other names, each with advice
};

KnownNames known_filters(const std::vector<std::string>& names);
// Keeps the path in "nova.scheduler.weights.ram.RAMWeigher".
KnownNames known_weighers(const std::vector<std::string>& names);

// Returns the filters that Nova enables by default.
std::vector<std::string> default_filters(Release release);
// Returns the filters to add for checks that Nova leaves to placement. `by_zone`: placement checks availability zones.
std::vector<std::string> filters_for_placement(const std::vector<std::string>& enabled, Release release, bool by_zone);

}  // namespace gantry::cli::nova
