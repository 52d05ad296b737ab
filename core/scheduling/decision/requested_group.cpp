// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/requested_group.hpp"

#include <algorithm>

namespace gantry::scheduling {

std::string name_of_requested_group(const RequestSpec& spec) {
  if (spec.group && !spec.group->uuid.empty()) return spec.group->uuid;
  const auto* hint = spec.hint("group");
  return hint == nullptr || hint->values.empty() ? std::string() : hint->values.front();
}

Result<std::optional<RequestedGroup>> find_requested_group(const RequestSpec& spec, const fleet::Fleet& fleet) {
  std::optional<RequestedGroup> group = spec.group;
  const auto name = name_of_requested_group(spec);
  if (name.empty()) return group;

  const auto known = fleet.group(name);
  if (!known) {
    if (group) return group;
    return Error{ErrorCode::not_found,
                 "scheduler hint 'group': no server group '" + name + "'; `gantry group list` shows those there are",
                 {}};
  }
  if (!group) group = RequestedGroup{known->uuid, known->name, known->policy, json::write(known->rules), {}, {}};
  if (group->policy.empty()) {
    group->policy = known->policy;
    group->rules = json::write(known->rules);
  }
  // The union: the request's own list may be outdated, and the fleet's may lack members that only the caller knows.
  for (const auto& member : known->members) {
    if (std::find(group->members.begin(), group->members.end(), member) == group->members.end()) {
      group->members.push_back(member);
    }
  }
  return group;
}

}  // namespace gantry::scheduling
