// SPDX-License-Identifier: Apache-2.0
//
// Instances join server groups and leave them, in memory, in the store and in the events. Until an instance has joined,
// the claim of its pick makes it a member (fleet::Claim::group), so that concurrent requests see each other's members.
// All functions are called under State::changes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Groups whose members have changed, as they were before. Undone if the outcome's transaction fails.
class ChangedGroups {
 public:
  ChangedGroups() = default;
  explicit ChangedGroups(std::vector<fleet::Group> before) : before_(std::move(before)) {}
  void add(ChangedGroups others);
  void undo(fleet::Fleet& fleet) const;
  const std::vector<fleet::Group>& before() const { return before_; }

 private:
  std::vector<fleet::Group> before_;
};

// Makes instances members of a group that the fleet knows. Does nothing for another group.
ChangedGroups join_group(State& state, const std::string& uuid, std::span<const std::string> instances,
                         Outcome& outcome);
// Takes an instance that is gone out of all groups.
ChangedGroups leave_groups(State& state, const std::string& instance, Outcome& outcome);
// Keeps the members of groups in step with what a host reports: a claim that the report ends leaves a member behind,
// and an instance that nothing knows any more is none. `before`: the report before. `steps`: those that the report has
// added to the outcome's claims.
ChangedGroups follow_report(State& state, const std::optional<fleet::ComputeNode>& before,
                            const fleet::ComputeNode& report, std::span<const fleet::ClaimStep> steps,
                            Outcome& outcome);
// Returns the changes that store groups whose members changed since `before`.
store::Batch stored_groups(const fleet::Fleet& fleet, const std::vector<fleet::Group>& before);

}  // namespace gantry::scheduling
