// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/requested_group.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/scheduling/request/request_context.hpp"

namespace gantry::scheduling {

namespace {

std::string name_of_requested_group(const RequestSpec& spec) {
  if (spec.group && !spec.group->uuid.empty()) return spec.group->uuid;
  const auto* hint = spec.hint("group");
  return hint == nullptr || hint->values.empty() ? std::string() : hint->values.front();
}

void add_members(std::vector<std::string>& members, std::vector<std::string> more) {
  members.reserve(members.size() + more.size());
  std::unordered_set<std::string> known(members.begin(), members.end());
  for (auto& member : more)
    if (known.insert(member).second) members.push_back(std::move(member));
}

// A member costs memory, and each change of the group writes all of them.
Result<void> check_size(const RequestedGroup& group, const RequestSpec& spec) {
  const std::unordered_set<std::string_view> members(group.members.begin(), group.members.end());
  const auto old = static_cast<std::size_t>(std::ranges::count_if(
      spec.instance_uuids, [&members](const std::string& uuid) { return members.contains(uuid); }));
  const auto size = members.size() + spec.num_instances - old;
  if (size <= most_group_members) return {};
  return Error{ErrorCode::resource_exhausted,
               "server group '" + (group.name.empty() ? group.uuid : group.name) + "' would have " +
                   std::to_string(size) + " members; expected at most " + std::to_string(most_group_members),
               {}};
}

}  // namespace

Result<fleet::Group> find_group(const fleet::Fleet& fleet, const std::string& uuid_or_name, std::string_view project) {
  auto first = fleet.group(uuid_or_name);
  if (!first) {
    return Error{
        ErrorCode::not_found, "no server group '" + uuid_or_name + "'; `gantry group list` shows those there are", {}};
  }
  const auto named = first->uuid == uuid_or_name ? std::vector<std::string>() : fleet.groups_named(uuid_or_name);
  if (named.size() < 2) return *std::move(first);
  std::vector<fleet::Group> own;
  std::string uuids;
  for (const auto& uuid : named) {
    uuids.append(uuids.empty() ? "" : ", ").append(uuid);
    auto group = fleet.group(uuid);
    if (group && !project.empty() && group->project_id == project) own.push_back(*std::move(group));
  }
  if (own.size() == 1) return std::move(own.front());
  return Error{ErrorCode::failed_precondition,
               std::to_string(named.size()) + " server groups are named '" + uuid_or_name + "' (" + uuids +
                   "); name one by its uuid",
               {}};
}

Result<std::optional<RequestedGroup>> find_requested_group(const RequestSpec& spec, const fleet::Fleet& fleet,
                                                           const MethodCall& call) {
  std::optional<RequestedGroup> group = spec.group;
  const auto name = name_of_requested_group(spec);
  if (name.empty() && !group) return group;

  const RequestContext context(call.context, call.request_id);
  const auto project = spec.project_id.empty() ? context.project_id() : spec.project_id;
  const auto known = name.empty() ? Result<fleet::Group>(Error{}) : find_group(fleet, name, project);
  if (!known && !group) return Error(known.error()).within("scheduler hint 'group'");
  if (known) {
    if (!group) group = RequestedGroup{known->uuid, known->name, known->policy, json::write(known->rules), {}, {}};
    if (group->policy.empty()) {
      group->policy = known->policy;
      group->rules = json::write(known->rules);
    }
    group->uuid = known->uuid;  // an older conductor may give the name
  }
  // The union: the request's own list may be outdated, and the fleet's may lack members that only the caller knows.
  add_members(group->members, fleet.members_of(claimed_as(*group)));
  if (auto checked = check_size(*group, spec); !checked) return std::move(checked).error();
  return group;
}

}  // namespace gantry::scheduling
