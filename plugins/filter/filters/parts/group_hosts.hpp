// SPDX-License-Identifier: Apache-2.0
//
// Runs over the hosts of a server group, by their names.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// The request's group has `policy` among its policies.
bool has_policy(const question& asked, std::string_view policy);
// The instance is on a host already, where it may stay whoever else is there.
bool is_placed(const question& asked);

// Passes the group's hosts alone, or all but them. nullptr, where every host passes: there are none yet. Where the hosts
// were not loaded it refuses the first candidate, naming `filter`.
std::unique_ptr<filter_run> begin_among(std::string_view filter, const question& asked);
std::unique_ptr<filter_run> begin_not_among(std::string_view filter, const question& asked);

}  // namespace filter_driver
