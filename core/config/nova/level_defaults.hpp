// SPDX-License-Identifier: Apache-2.0
//
// The defaults of Nova's scheduling options in each release, beside what a site's files say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/translation.hpp"

namespace gantry::config::nova {

// An option whose default in the release is another value than the site's: what the files say, or what was the default
// in Zed if they say nothing. Values are TOML.
struct OtherDefault {
  std::string name;            // "[filter_scheduler] host_subset_size"
  std::string of_release;      // empty: the release does not read the option
  std::string of_site;         // empty: the files say nothing, and Zed had no such option
  std::optional<Place> place;  // nullopt: the files say nothing
  std::string since;  // the release that brought or changed the default, or dropped the option; empty: as in Zed
};

// Returns them for the options that decide about hosts. An option whose value makes no sense is left out.
std::vector<OtherDefault> other_defaults(const Conf& conf, Release release);

// Returns the option's default in Zed, or in the release that brought it, as text of nova.conf. nullopt for other options
// and for lists.
std::optional<std::string> scheduling_default(std::string_view section, std::string_view key);

// Returns "[filter_scheduler] host_subset_size: 1 by default, the files say 3 (nova.conf:12)".
std::string line_of(const OtherDefault& one);

}  // namespace gantry::config::nova
