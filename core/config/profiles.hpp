// SPDX-License-Identifier: Apache-2.0
//
// Reads the list of [[profile]]: rules by which one of several drivers of topic compute decides a request.
#pragma once

#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config {

// Returns the rules of the list, in its order. Adds a problem for each fault: "<place>: <key>: expected ..., found ...".
std::vector<Profile> read_profiles(const Member& member, std::vector<std::string>& problems);

// Returns the rules for people: the key profile with the names of all rules in their order, and for each rule the key
// profile.<name> with its conditions as TOML. Empty if there are none.
std::vector<Shown> shown_profiles(const std::vector<Profile>& profiles, const std::string& origin_of_list);

}  // namespace gantry::config
