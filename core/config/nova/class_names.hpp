// SPDX-License-Identifier: Apache-2.0
//
// Sorts the names of filters and weighers in a nova.conf into those that Gantry has and the others. Knows the filters
// that each Nova release enables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/nova/translation.hpp"

namespace gantry::config::nova {

struct KnownNames {
  std::vector<std::string> names;    // the names that Gantry has, in the order given
  std::vector<std::string> unknown;  // a sentence for each other name, with advice
};

KnownNames known_filters(const std::vector<std::string>& names);
// Expects and returns weighers with their module path, such as "nova.scheduler.weights.ram.RAMWeigher".
KnownNames known_weighers(const std::vector<std::string>& names);

// True if a filter or weigher of Nova's has this name, without its module.
bool is_name_of_nova(std::string_view class_name);
// Returns the names with those that Gantry does not have as a library would offer them: "site.weights.RackWeigher"
// becomes "RackWeigher". Keeps the whole name of a class that bears the name of one of Nova's.
std::vector<std::string> as_offered(const std::vector<std::string>& names, const KnownNames& known);

// Returns the filters that a Nova of this release enables by default.
std::vector<std::string> default_filters(Release release);
// Returns the filters to add to `enabled`. From Ocata on, Nova leaves some checks to its placement service, and in
// Gantry these filters do them. `by_zone`: this Nova lets the placement service check availability zones too.
std::vector<std::string> filters_for_placement(const std::vector<std::string>& enabled, Release release, bool by_zone);
// Returns why these filters were added, and by which numbers they judge.
std::string why_added(const std::vector<std::string>& added, Release release);

}  // namespace gantry::config::nova
