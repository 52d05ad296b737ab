// SPDX-License-Identifier: Apache-2.0
//
// The request spec in the arguments of select_destinations.
#pragma once

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// Reads request_spec or spec_obj, filter_properties and instance_uuids. Moves the request spec out of the arguments. The
// error invalid_argument names the argument.
Result<RequestSpec> asked_spec(json::object& args);

}  // namespace gantry::scheduling
