// SPDX-License-Identifier: Apache-2.0
//
// Hides from the log's readers the text that users wrote into a request, such as the script that an instance runs at
// its first start.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Returns a copy in which each value of a user's own, at any depth, is replaced by "(redacted)": user data, keys,
// metadata, descriptions, hints, networks and the like. The operator's own definitions, such as flavors, stay.
json::object without_user_content(const json::object& object);

}  // namespace gantry::scheduling
