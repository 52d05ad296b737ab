// SPDX-License-Identifier: Apache-2.0
//
// Reads the sections [ask.<name>]: the policy services that drivers ask.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config {

// Adds what the sections say to `services`. Adds a problem for each fault: "<place>: <key>: expected ..., found ...".
void read_policy_services(const Member& member, std::map<std::string, PolicyService>& services,
                          std::vector<std::string>& problems);
// Adds a problem for each service without a URL, and for each driver among `drivers` that is not loaded.
void check_policy_services(const Settings& settings, std::vector<std::string>& problems);

// Returns each key of each service, with its value as TOML.
std::vector<Shown> shown_policy_services(const std::map<std::string, PolicyService>& services);

}  // namespace gantry::config
