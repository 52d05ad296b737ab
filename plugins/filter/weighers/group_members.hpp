// SPDX-License-Identifier: Apache-2.0
//
// What the two weighers of server groups share: the members of the request's group on each host.
#pragma once

#include <memory>
#include <string_view>

#include "rules/weigher.hpp"

namespace filter_driver {

// Where the group's policy (Ocata: one of its policies) is `policy`, members on the host times `each`; otherwise, and where no
// member is anywhere, nullptr: all weigh 0. A group without its policy or members refuses the first host, naming `weigher`.
std::unique_ptr<weigher_run> begin_group_members(std::string_view weigher, const question& asked,
                                                 std::string_view policy, double each);

}  // namespace filter_driver
