// SPDX-License-Identifier: Apache-2.0
//
// Whether a member of a compute node's report can be read: the core's columns have types, and a value of another one
// counts as not reported.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::fleet {

// What was expected; empty: it can be read, or the core does not know the key.
std::string_view expected_of_report(std::string_view key, const json::value& value);

}  // namespace gantry::fleet
