// SPDX-License-Identifier: Apache-2.0
//
// The rule of both weighers of server groups, for soft affinity and soft anti-affinity: counts the members of the
// request's group on each host.
#pragma once

#include <memory>
#include <string_view>

#include "rules/weigher.hpp"

namespace filter_driver {

// Returns a run that weighs a host by the number of its members times `each`. The group must have the policy `policy`,
// before Zed among its several policies. Returns nullptr, which makes all hosts weigh 0, if there is no group, if the
// group has another policy, or if no host has a member. If the request gives the group without a policy or without its
// members, the run ends the request at the first host with an error that names `weigher`.
std::unique_ptr<weigher_run> begin_group_members(std::string_view weigher, const question& asked,
                                                 std::string_view policy, double each);

}  // namespace filter_driver
