// SPDX-License-Identifier: Apache-2.0
//
// Finds requirements that only a placement service can check: traits, custom resource classes, keys that Nova (Zed,
// scheduler/utils.py) translates into traits and resource classes, amounts that differ from the flavor's, and resource
// providers chosen by aggregate.
#pragma once

#include <optional>
#include <string>

#include "request/request_facts.hpp"

namespace filter_driver {

// Returns the first requirement as the request names it, for example
// "flavor extra spec trait:HW_CPU_X86_AVX2=required". Empty if the request has none.
std::optional<std::string> placement_requirement(const request_facts& request);

}  // namespace filter_driver
