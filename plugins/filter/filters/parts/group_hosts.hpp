// SPDX-License-Identifier: Apache-2.0
//
// Filter runs that compare a candidate's host name with the names of the hosts that hold members of the request's
// server group.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// Returns whether the request's group has this policy.
bool has_policy(const question& asked, std::string_view policy);
// Returns whether the request's instance is already on a host. The instance may then stay on its host, beside any
// other members of the group.
bool is_placed(const question& asked);

// Returns a run that passes only the group's hosts (among), or all other hosts (not among). The request must have a
// group. Returns nullptr if the group has no hosts yet: every host passes. If the request carries its group without the
// hosts, the run refuses the first candidate with an error that names `filter`.
std::unique_ptr<filter_run> begin_among(std::string_view filter, const question& asked);
std::unique_ptr<filter_run> begin_not_among(std::string_view filter, const question& asked);

}  // namespace filter_driver
