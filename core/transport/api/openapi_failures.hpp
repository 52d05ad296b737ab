// SPDX-License-Identifier: Apache-2.0
//
// The failures in the OpenAPI document: one response for each status. It describes all error codes that have this
// status, and the requests that the transport itself refuses with it.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::transport {

// The verb of a request. A GET has no body, so it lacks the failures of bodies.
enum class Asked { by_get, by_post };

// Returns references to the failures that every method has, by status: {"400": {"$ref": ...}, ...}.
json::object failure_references(Asked asked);

// Returns the responses that these references name: {"Failure400": {...}, ...}.
json::object failure_responses();

// Returns references to the headers of every answer, by the header's name.
json::object answer_headers();

// Returns {"application/json": {"schema": ...}}.
json::object json_content(json::object schema);

}  // namespace gantry::transport
