// SPDX-License-Identifier: Apache-2.0
//
// The failures in the OpenAPI document: a response for each status, made of the statuses of the error codes and of the
// refusals that the transport makes itself.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::transport {

enum class Asked { by_get, by_post };

// References to the failures of any method, by status: {"400": {"$ref": ...}, ...}.
json::object failure_references(Asked asked);

// The responses that the references name.
json::object failure_responses();

// References to the headers of every answer.
json::object answer_headers();

// {"application/json": {"schema": ...}}
json::object json_content(json::object schema);

}  // namespace gantry::transport
