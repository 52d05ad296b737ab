// SPDX-License-Identifier: Apache-2.0
//
// The server group that a request is placed under.
#pragma once

#include <optional>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// Returns the group that the request carries, completed by what the fleet knows of it, or else the group that the hint
// `group` names. Empty if there is neither. not_found if the hint names no group.
Result<std::optional<RequestedGroup>> find_requested_group(const RequestSpec& spec, const fleet::Fleet& fleet);

}  // namespace gantry::scheduling
