// SPDX-License-Identifier: Apache-2.0
//
// What users wrote into a request, such as the script that their instance runs at its first start, is no business of
// the log's readers.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Returns a copy in which each value of a user's own, at any depth, is replaced by "(redacted)": user data, keys,
// metadata, descriptions, hints, networks and the like. What a decision reads from the operator's own definitions, such
// as flavors, stays.
json::object without_user_content(const json::object& object);

}  // namespace gantry::scheduling
