// SPDX-License-Identifier: Apache-2.0
//
// The server group whose policy a request's instances must follow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/manager.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// The most members that a group may have.
inline constexpr std::size_t most_group_members = 10'000;

// Returns the group of that uuid, else of that name. Several projects may use one name: it then means the group of
// `project`. not_found: there is none. failed_precondition: the name is that of several groups, which the error names.
Result<fleet::Group> find_group(const fleet::Fleet& fleet, const std::string& uuid_or_name, std::string_view project);

// Returns the group that the request itself carries, completed with the policy and members that the fleet knows. If the
// request carries none, returns the fleet's group that the hint `group` names. Instances of claims that were made for
// the group are members, too. nullopt if the request has neither group nor hint. An error of find_group if the request
// carries no group. resource_exhausted if the group would have too many members.
Result<std::optional<RequestedGroup>> find_requested_group(const RequestSpec& spec, const fleet::Fleet& fleet,
                                                           const MethodCall& call);

// Returns fleet::Claim::group for claims of the group's instances.
inline const std::string& claimed_as(const RequestedGroup& group) {
  return group.uuid.empty() ? group.name : group.uuid;
}

}  // namespace gantry::scheduling
