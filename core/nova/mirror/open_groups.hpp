// SPDX-License-Identifier: Apache-2.0
//
// Which groups of a question a tree can leave open, in place of one request for each way to serve them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/nova/mirror/candidate_question.hpp"
#include "core/nova/mirror/group_search.hpp"
#include "core/nova/mirror/mirror_candidates.hpp"

namespace gantry::nova {

// Returns whether the group may be left open: it has a suffix, gives one class, and no subtree binds its provider to others.
bool may_be_open(const CandidateQuestion& question, std::size_t group, const GroupMatches& matches);

// Returns the providers of the tree of `anchor` that can serve the group, each with its room for `groups` groups at most.
// `requests`: the group's in the tree. nullopt: one of them is not one provider of the tree.
std::optional<std::vector<MirrorCandidates::OpenGroup::Provider>> open_providers(
    const ProviderShape& shape, ProviderRow anchor, const GroupAmount& amount,
    std::span<const GroupMatches::Request> requests, std::size_t groups);

// Returns whether each provider serves open groups of one class and amount alone, so that its room counts them. `parts`: by
// the groups that are not open.
bool are_apart(const std::vector<MirrorCandidates::OpenGroup>& open, const std::vector<MirrorCandidates::Part>& parts);

}  // namespace gantry::nova
