// SPDX-License-Identifier: Apache-2.0
//
// The part of the OpenAPI document that no method changes: the service's own pages, the headers, and a JSON schema for
// each record that a method answers with. It stands in openapi_frame.json, which the build turns into a string.
#pragma once

#include <string_view>

namespace gantry::transport {

// Returns the frame as JSON text.
std::string_view openapi_frame();

}  // namespace gantry::transport
