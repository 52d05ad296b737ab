// SPDX-License-Identifier: Apache-2.0
//
// The OpenAPI 3.1 document of the service: the frame (openapi_frame.hpp), a path for each method that has a row in the
// method table (method_table.hpp), and a response for each status of a failure.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/manager.hpp"

namespace gantry::transport {

// Returns the document as JSON text. Leaves out the methods that have no row in the method table.
std::string openapi_document(const std::vector<scheduling::MethodName>& methods);

}  // namespace gantry::transport
