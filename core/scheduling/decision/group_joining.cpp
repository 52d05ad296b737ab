// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/group_joining.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace gantry::scheduling {

namespace {

Event event_of(const fleet::Group& group, ListChange members) {
  members.member = "members";
  Event event{"group.updated", {}, {}, {}};
  event.more = {{"object", "group " + group.uuid + " (" + group.name + ")"},
                {"changes", json::object{{"members", shown(members)}}}};
  return event;
}

std::unordered_set<std::string> listed_in(const fleet::ComputeNode& report) {
  std::unordered_set<std::string> listed;
  if (const auto* instances = json::find_array(report.stats, "instances"))
    for (const auto& instance : *instances)
      if (instance.is_string()) listed.emplace(std::string_view(instance.get_string()));
  return listed;
}

}  // namespace

void ChangedGroups::add(ChangedGroups others) {
  std::ranges::move(others.before_, std::back_inserter(before_));
}

void ChangedGroups::undo(fleet::Fleet& fleet) const {
  std::for_each(before_.rbegin(), before_.rend(), [&fleet](const auto& group) { fleet.put_group(group); });
}

store::Batch stored_groups(const fleet::Fleet& fleet, const std::vector<fleet::Group>& before) {
  store::Batch batch;
  for (const auto& group : before)
    if (const auto now = fleet.group(group.uuid)) batch.push_back(stored(store::Kind::group, now->uuid, *now));
  return batch;
}

ChangedGroups join_group(State& state, const std::string& uuid, std::span<const std::string> instances,
                         Outcome& outcome) {
  auto before = uuid.empty() ? std::nullopt : state.parts.fleet.join_group(uuid, instances);
  const auto after = before ? state.parts.fleet.group(uuid) : std::nullopt;
  if (!after) return {};
  outcome.batch.push_back(stored(store::Kind::group, after->uuid, *after));
  const auto joined = after->members.begin() + static_cast<std::ptrdiff_t>(before->members.size());
  outcome.events.push_back(event_of(*after, {.member = {}, .added = {joined, after->members.end()}}));
  return ChangedGroups({*std::move(before)});
}

ChangedGroups leave_groups(State& state, const std::string& instance, Outcome& outcome) {
  auto before = state.parts.fleet.leave_groups(instance);
  for (auto& change : stored_groups(state.parts.fleet, before)) outcome.batch.push_back(std::move(change));
  for (const auto& group : before) outcome.events.push_back(event_of(group, {.member = {}, .removed = {instance}}));
  return ChangedGroups(std::move(before));
}

ChangedGroups follow_report(State& state, const std::optional<fleet::ComputeNode>& before,
                            const fleet::ComputeNode& report, std::span<const fleet::ClaimStep> steps,
                            Outcome& outcome) {
  ChangedGroups changed;
  for (const auto& step : steps) {
    if (step.kind != fleet::ClaimStep::Kind::ended || step.claim.group.empty()) continue;
    // The instance was deleted or its claim was released, and the report is older than that.
    if (step.previous_state == fleet::ClaimState::ending) continue;
    const std::array member{step.claim.consumer};
    changed.add(join_group(state, step.claim.group, member, outcome));
  }
  if (!before || report.topic != "compute") return changed;
  const auto listed = listed_in(report);
  for (const auto& instance : listed_in(*before))
    if (!listed.contains(instance) && !state.parts.fleet.knows_instance(instance))
      changed.add(leave_groups(state, instance, outcome));
  return changed;
}

}  // namespace gantry::scheduling
