// SPDX-License-Identifier: Apache-2.0
//
// Lists Nova's scheduler options: the keys that Gantry has for them, or the reasons for having no key. Icehouse, Newton
// and Zed are releases of Nova, from the oldest to the newest.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include <vector>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/release.hpp"
#include "core/config/nova/value.hpp"

namespace gantry::config::nova {

// An option of Nova that has a key in Gantry. The key takes the option's value unchanged.
struct CarriedOption {
  OptionName name;             // its name in Zed
  std::string_view older_key;  // its key in [DEFAULT] before Newton; empty: it has no older name
  Type type;
  std::string_view key;                                       // Gantry's key: "driver.filter.host_subset_size"
  double minimum = -std::numeric_limits<double>::infinity();  // the least valid number
};
std::span<const CarriedOption> carried_options();
// Returns the first level that reads the option: that of its release, or the next one.
Release first_release(const CarriedOption& option);

// An option of Nova for which Gantry has no key.
struct OtherOption {
  OptionName name;
  std::string_view older_key;  // as in CarriedOption
  // The values, separated by |, with which Nova behaves like Gantry. "*": any value.
  std::string_view harmless;
  std::string_view why;          // why Gantry has no key
  bool is_of_placement = false;  // in a deployment, placement sees to it
};
std::span<const OtherOption> other_options();

// Returns the names that the release reads the option under, the newest first, of Zed's name and Icehouse's, which may be
// absent. Newton brought the newer names, and Pike dropped the older ones.
std::vector<OptionName> names_read(OptionName name, OptionName older, Release release);

// Options whose translation needs code of its own, by their names in Zed. A name that begins with older_ is the name in
// Icehouse.
inline constexpr OptionName enabled_filters{"filter_scheduler", "enabled_filters"};
inline constexpr OptionName older_enabled_filters{"DEFAULT", "scheduler_default_filters"};
inline constexpr OptionName available_filters{"filter_scheduler", "available_filters"};
inline constexpr OptionName older_available_filters{"DEFAULT", "scheduler_available_filters"};
inline constexpr OptionName weight_classes{"filter_scheduler", "weight_classes"};
inline constexpr OptionName older_weight_classes{"DEFAULT", "scheduler_weight_classes"};
inline constexpr OptionName scheduler_driver{"scheduler", "driver"};
inline constexpr OptionName older_scheduler_driver{"DEFAULT", "scheduler_driver"};
inline constexpr OptionName weight_setting{"metrics", "weight_setting"};
inline constexpr OptionName image_weight_setting{"filter_scheduler", "image_props_weight_setting"};
inline constexpr OptionName default_architecture{"filter_scheduler", "image_properties_default_architecture"};
inline constexpr OptionName query_availability_zone{"scheduler", "query_placement_for_availability_zone"};

}  // namespace gantry::config::nova
