// SPDX-License-Identifier: Apache-2.0
//
// The OpenAPI 3.1 document of the service: the frame, a path for each row of the method table, and a response for each
// status of a failure.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/manager.hpp"

namespace gantry::transport {

// JSON text. Leaves out the methods that have no row in the method table.
std::string openapi_document(const std::vector<scheduling::MethodName>& methods);

}  // namespace gantry::transport
