// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/group_joining.hpp"

#include <algorithm>

#include "core/scheduling/decision/requested_group.hpp"

namespace gantry::scheduling {

Joined join_group(State& state, const RequestSpec& spec) {
  const auto name = name_of_requested_group(spec);
  if (name.empty()) return {};
  const std::lock_guard lock(state.changes);
  auto group = state.parts.fleet.group(name);
  if (!group) return {};
  Joined joined{group->uuid, {}};
  for (const auto& uuid : spec.instance_uuids) {
    if (std::find(group->members.begin(), group->members.end(), uuid) != group->members.end()) continue;
    group->members.push_back(uuid);
    joined.members.push_back(uuid);
    state.joining.emplace(group->uuid, uuid);
  }
  state.parts.fleet.put_group(*group);
  return joined;
}

void leave_group(State& state, const Joined& joined) {
  auto group = joined.group.empty() ? std::nullopt : state.parts.fleet.group(joined.group);
  if (!group) return;
  for (const auto& uuid : joined.members) std::erase(group->members, uuid);
  state.parts.fleet.put_group(*group);
}

void store_group(State& state, const Joined& joined, store::Batch& batch) {
  for (const auto& uuid : joined.members) state.joining.erase({joined.group, uuid});
  auto group = joined.group.empty() ? std::nullopt : state.parts.fleet.group(joined.group);
  if (!group) return;
  for (const auto& uuid : joined.members) {
    if (std::find(group->members.begin(), group->members.end(), uuid) == group->members.end())
      group->members.push_back(uuid);
  }
  state.parts.fleet.put_group(*group);
  std::erase_if(group->members, [&](const auto& uuid) { return state.joining.contains({group->uuid, uuid}); });
  batch.push_back(stored(store::Kind::group, group->uuid, *group));
}

void give_up_joining(State& state, const Joined& joined) {
  for (const auto& uuid : joined.members) state.joining.erase({joined.group, uuid});
  leave_group(state, joined);
}

}  // namespace gantry::scheduling
