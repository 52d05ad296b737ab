// SPDX-License-Identifier: Apache-2.0
//
// The OpenAPI 3.1 document of the service: every method, its arguments and what it answers, from the method table and
// the record table; headers, statuses and the service's own pages, as the routes have them.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/manager.hpp"

namespace gantry::transport {

// As JSON text. Methods without a description are left out.
std::string openapi_document(const std::vector<scheduling::MethodName>& methods);

}  // namespace gantry::transport
