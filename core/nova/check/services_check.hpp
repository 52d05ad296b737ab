// SPDX-License-Identifier: Apache-2.0
//
// Tries Keystone, placement and Neutron with the logins of nova.conf. Only asks, and changes nothing.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/finding.hpp"

namespace gantry::nova {

struct PlacementFound {
  std::set<std::string> providers;                         // the uuids of all resource providers
  std::chrono::steady_clock::duration candidates_time{0};  // for the question of a small request
};

// nullopt: placement could not be asked; the report says why.
std::optional<PlacementFound> check_placement(const config::NovaSettings& settings, const Report& report);
// Says nothing if the settings have no [neutron].
void check_neutron(const config::NovaSettings& settings, const Report& report);

}  // namespace gantry::nova
