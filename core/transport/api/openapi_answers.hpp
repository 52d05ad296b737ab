// SPDX-License-Identifier: Apache-2.0
//
// The part of the OpenAPI document that is about failures: a response for each status, from the statuses of the error
// codes and from what the transport itself refuses.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::transport {

enum class Asked { by_get, by_post };

// References to the failures that any method may answer with, by status: {"400": {"$ref": ...}, ...}.
json::object failure_references(Asked asked);

// What they refer to.
json::object failure_responses();

// The headers that every answer carries, as references.
json::object answer_headers();

// {"application/json": {"schema": ...}}
json::object json_content(json::object schema);

}  // namespace gantry::transport
