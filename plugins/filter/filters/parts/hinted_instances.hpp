// SPDX-License-Identifier: Apache-2.0
//
// The scheduler hints that name instances (different_host, same_host): finds the hosts of those instances.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// Returns a run that keeps the hosts with at least one of the hint's instances (`with`), or the hosts without any.
// Returns nullptr if the hint is missing or empty. A single text is one instance. Items of the list that are not
// texts match no instance. Icehouse looks up the instances in its database, later releases in the host state.
std::unique_ptr<filter_run> hinted_instances_run(std::string_view filter, const question& asked, std::string_view hint,
                                                 bool with);

}  // namespace filter_driver
