// SPDX-License-Identifier: Apache-2.0
//
// Runs over the hosts of a server group, by their names.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// Returns whether the request's group has this policy.
bool has_policy(const question& asked, std::string_view policy);
// Returns whether the instance is already on a host. It may stay there, regardless of other members.
bool is_placed(const question& asked);

// Returns a run that passes only the group's hosts (among), or all other hosts (not among). Returns nullptr if the
// group has no hosts yet, so that every host passes. If the group's hosts were not loaded, the run refuses the first
// candidate with an error that names `filter`.
std::unique_ptr<filter_run> begin_among(std::string_view filter, const question& asked);
std::unique_ptr<filter_run> begin_not_among(std::string_view filter, const question& asked);

}  // namespace filter_driver
