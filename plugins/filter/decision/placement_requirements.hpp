// SPDX-License-Identifier: Apache-2.0
//
// What a request may ask for that only a placement service could judge: traits and resource classes of its own, what
// Nova (Zed, scheduler/utils.py) makes such of, other amounts than the flavor's, and providers by aggregate.
#pragma once

#include <optional>
#include <string>

#include "request/request_facts.hpp"

namespace filter_driver {

// The first such need, as the request names it: "flavor extra spec trait:HW_CPU_X86_AVX2=required". None: there is none.
std::optional<std::string> placement_requirement(const request_facts& request);

}  // namespace filter_driver
