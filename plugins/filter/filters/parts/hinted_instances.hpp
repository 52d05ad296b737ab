// SPDX-License-Identifier: Apache-2.0
//
// The scheduler hints that name instances (different_host, same_host): on which hosts those instances are.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// A run that keeps the hosts with one of the hint's instances (`with`), or those without any. nullptr: no such hint, or
// an empty one. A single text is one instance; what is in the list and no text is no instance. Icehouse asks its
// database for the instances, later releases the host state.
std::unique_ptr<filter_run> hinted_instances_run(std::string_view filter, const question& asked, std::string_view hint,
                                                 bool with);

}  // namespace filter_driver
