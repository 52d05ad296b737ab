// SPDX-License-Identifier: Apache-2.0
//
// Finds requirements of a request that only OpenStack's placement service can check: traits, custom resource classes,
// keys that Nova (Zed, scheduler/utils.py) translates into traits and resource classes, resource amounts in extra specs
// that differ from the flavor's own, and resource providers chosen by aggregate.
#pragma once

#include <optional>
#include <string>

#include "request/request_facts.hpp"

namespace filter_driver {

// Returns the first requirement as the request names it, for example
// "flavor extra spec trait:HW_CPU_X86_AVX2=required". nullopt if the request has no such requirement.
std::optional<std::string> placement_requirement(const request_facts& request);

}  // namespace filter_driver
