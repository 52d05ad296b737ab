// SPDX-License-Identifier: Apache-2.0
//
// Server groups and their members.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

std::optional<Group> Fleet::State::erase_group(std::string_view uuid) {
  const auto found = groups.find(uuid);
  if (found == groups.end()) return std::nullopt;
  for (const auto& member : found->second.members) {
    auto [at, end] = groups_of_members.equal_range(member);
    while (at != end) at = at->second == uuid ? groups_of_members.erase(at) : std::next(at);
  }
  auto before = std::move(found->second.record);
  group_names.erase({before.name, before.uuid});
  groups.erase(found);
  return before;
}

std::optional<Group> Fleet::State::set_group(Group record) {
  auto before = erase_group(record.uuid);
  group_names.emplace(record.name, record.uuid);
  auto& group = groups[record.uuid];
  for (const auto& member : record.members) {
    const auto uuid = parse_uuid(member);
    if (uuid && group.members.insert(*uuid).second) groups_of_members.emplace(*uuid, record.uuid);
  }
  group.record = std::move(record);
  return before;
}

bool Fleet::State::is_known(const gantry_uuid& instance) const {
  const auto* record = find_instance(instance);
  if (record != nullptr) return view_of(record->vm_state) != "deleted";
  return claims.has_claims(to_text(instance)) || topics.find(compute_topic)->listed_on(instance) != nullptr;
}

bool Fleet::knows_instance(std::string_view text) const {
  const auto uuid = parse_uuid(text);
  const std::lock_guard lock(state_->mutex);
  return uuid && state_->is_known(*uuid);
}

std::optional<Group> Fleet::put_group(const Group& group) {
  const std::lock_guard lock(state_->mutex);
  return state_->set_group(group);
}

std::optional<Group> Fleet::remove_group(std::string_view uuid) {
  const std::lock_guard lock(state_->mutex);
  return state_->erase_group(uuid);
}

std::optional<Group> Fleet::join_group(std::string_view uuid, std::span<const std::string> instances) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->groups.find(uuid);
  if (found == state_->groups.end()) return std::nullopt;
  auto& [record, members] = found->second;
  std::optional<Group> before;
  for (const auto& instance : instances) {
    const auto parsed = parse_uuid(instance);
    if (!parsed || members.contains(*parsed)) continue;
    if (!before) before = record;
    members.insert(*parsed);
    state_->groups_of_members.emplace(*parsed, record.uuid);
    record.members.push_back(instance);
  }
  return before;
}

std::vector<Group> Fleet::leave_groups(std::string_view instance) {
  const auto parsed = parse_uuid(instance);
  std::vector<Group> before;
  if (!parsed) return before;
  const std::lock_guard lock(state_->mutex);
  const auto [begin, end] = state_->groups_of_members.equal_range(*parsed);
  for (auto at = begin; at != end; ++at) {
    auto& [record, members] = state_->groups.find(at->second)->second;
    before.push_back(record);
    members.erase(*parsed);
    std::erase_if(record.members, [&](const auto& member) {
      const auto uuid = parse_uuid(member);
      return uuid && UuidEqual()(*uuid, *parsed);
    });
  }
  state_->groups_of_members.erase(begin, end);
  return before;
}

std::vector<Group> Fleet::leave_unknown_members() {
  const std::lock_guard lock(state_->mutex);
  std::vector<Group> changed;
  for (const auto& [uuid, group] : state_->groups) {
    auto record = group.record;
    std::erase_if(record.members, [&](const auto& member) {
      const auto parsed = parse_uuid(member);
      return !parsed || !state_->is_known(*parsed);
    });
    if (record.members.size() != group.record.members.size()) changed.push_back(std::move(record));
  }
  std::vector<Group> before;
  before.reserve(changed.size());
  for (auto& record : changed) before.push_back(*state_->set_group(std::move(record)));
  return before;
}

std::optional<Group> Fleet::group(std::string_view uuid_or_name) const {
  const std::lock_guard lock(state_->mutex);
  auto found = state_->groups.find(uuid_or_name);
  if (found == state_->groups.end()) {
    const auto named = state_->group_names.lower_bound({std::string(uuid_or_name), std::string()});
    if (named == state_->group_names.end() || named->first != uuid_or_name) return std::nullopt;
    found = state_->groups.find(named->second);
  }
  return found->second.record;
}

std::vector<std::string> Fleet::groups_named(std::string_view name) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> uuids;
  const std::string wanted(name);
  for (auto at = state_->group_names.lower_bound({wanted, std::string()});
       at != state_->group_names.end() && at->first == wanted; ++at)
    uuids.push_back(at->second);
  return uuids;
}

std::vector<std::string> Fleet::members_of(std::string_view group) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> members;
  const auto counts = [this](const gantry_uuid& instance) {
    const auto* record = state_->find_instance(instance);
    return record == nullptr || record->counts_as_member();
  };
  const auto known = state_->groups.find(group);
  if (known != state_->groups.end()) {
    for (const auto& member : known->second.record.members) {
      const auto uuid = parse_uuid(member);
      if (!uuid || counts(*uuid)) members.push_back(member);
    }
  }
  const auto* claimed = state_->claims.members_of(group);
  if (claimed == nullptr) return members;
  for (const auto& [uuid, claims] : *claimed) {
    const bool is_listed = known != state_->groups.end() && known->second.members.contains(uuid);
    if (!is_listed && counts(uuid)) members.push_back(to_text(uuid));
  }
  return members;
}

std::vector<Group> Fleet::groups() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Group> groups;
  for (const auto& [uuid, group] : state_->groups) groups.push_back(group.record);
  return groups;
}

}  // namespace gantry::fleet
