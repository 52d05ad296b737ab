// SPDX-License-Identifier: Apache-2.0
//
// Which keys a running service takes from a changed configuration, and which need a restart.
#pragma once

#include <string_view>

namespace gantry::config {

// Returns whether a reload applies a change of the key, by its full name: "scheduling.call_timeout",
// "driver.filter.ram_weight_multiplier". Options of drivers and of their offers are applied, the core's own keys of
// [driver.<id>] are not.
bool is_reloadable(std::string_view key);
// Returns whether a reload applies a change of that key from one value to another, both as TOML: a certificate takes the place
// of another, but TLS does not begin or end on addresses that are open.
bool is_reloadable(std::string_view key, std::string_view before, std::string_view after);

}  // namespace gantry::config
