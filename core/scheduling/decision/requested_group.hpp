// SPDX-License-Identifier: Apache-2.0
//
// The server group whose policy a request's instances must follow.
#pragma once

#include <optional>
#include <string>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// Returns the uuid or name by which the fleet may know the request's group: of the group that the request itself
// carries, else of the hint `group`. Empty if there is neither.
std::string name_of_requested_group(const RequestSpec& spec);

// Returns the group that the request itself carries, completed with the policy and members that the fleet knows. If the
// request carries none, returns the fleet's group that the hint `group` names. nullopt if the request has neither group
// nor hint. not_found if the request carries no group and the fleet does not know the hint's.
Result<std::optional<RequestedGroup>> find_requested_group(const RequestSpec& spec, const fleet::Fleet& fleet);

}  // namespace gantry::scheduling
