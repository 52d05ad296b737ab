// SPDX-License-Identifier: Apache-2.0
//
// Nova's filters and weighers by name, and what a list of them becomes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/nova/translation.hpp"

namespace gantry::cli::nova {

struct KnownNames {
  std::vector<std::string> names;    // those that Gantry has, in their order
  std::vector<std::string> unknown;  // the others, each with advice
};

KnownNames known_filters(const std::vector<std::string>& names);
// Of "nova.scheduler.weights.ram.RAMWeigher" the path is kept.
KnownNames known_weighers(const std::vector<std::string>& names);

// What Nova enables where no file says anything.
std::vector<std::string> default_filters(Release release);
// Filters to add, because Nova asked placement for what they judge. `by_zone`: placement chose by availability zone.
std::vector<std::string> filters_for_placement(const std::vector<std::string>& enabled, Release release, bool by_zone);

}  // namespace gantry::cli::nova
