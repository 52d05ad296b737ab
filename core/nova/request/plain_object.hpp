// SPDX-License-Identifier: Apache-2.0
//
// Nova's versioned objects without their envelopes.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns the fields of the object, and of the objects inside, as plain members. A plain object stays as it is. Fails
// with ValueError if the object is another one than `name`, or nests deeper than json::max_depth.
Result<json::object> plain_object(json::object object, std::string_view name);

}  // namespace gantry::nova
