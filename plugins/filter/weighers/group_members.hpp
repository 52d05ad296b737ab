// SPDX-License-Identifier: Apache-2.0
//
// The rule of both weighers of server groups: counts the members of the request's group on each host.
#pragma once

#include <memory>
#include <string_view>

#include "rules/weigher.hpp"

namespace filter_driver {

// Returns a run whose weight is the members on the host times `each`, if the group has `policy` (Ocata: among its
// policies). Returns nullptr, so that all hosts weigh 0, if the group has another policy or no member is on any host.
// If the group comes without a policy or members, the run refuses the first host with an error that names `weigher`.
std::unique_ptr<weigher_run> begin_group_members(std::string_view weigher, const question& asked,
                                                 std::string_view policy, double each);

}  // namespace filter_driver
