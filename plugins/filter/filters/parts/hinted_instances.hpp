// SPDX-License-Identifier: Apache-2.0
//
// The scheduler hints that name instances (different_host, same_host): finds the hosts of those instances.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// Returns a run that keeps the hosts with at least one of the hint's instances if `with` is true, or the hosts without
// any of them if it is false. Returns nullptr if the hint is missing or empty: every host passes. The hint is a list of
// instance uuids, or a text for a single instance. Numbers, booleans and null in the list match no instance. For any
// other hint, the run refuses the first candidate with an error that names `filter`.
std::unique_ptr<filter_run> hinted_instances_run(std::string_view filter, const question& asked, std::string_view hint,
                                                 bool with);

}  // namespace filter_driver
