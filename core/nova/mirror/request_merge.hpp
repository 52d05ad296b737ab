// SPDX-License-Identifier: Apache-2.0
//
// Puts the requests of a question's groups together: one of each group, all of one tree.
#pragma once

#include <vector>

#include "core/nova/mirror/candidate_question.hpp"
#include "core/nova/mirror/group_search.hpp"
#include "core/nova/mirror/mirror_candidates.hpp"

namespace gantry::nova {

// `matches`: one a group. Leaves out what the group policy, the subtrees or the capacity of a provider that serves
// several groups do not allow.
SearchEnd merge_requests(const ProviderState& state, const CandidateQuestion& question,
                         const std::vector<GroupMatches>& matches, MirrorCandidates& candidates);

}  // namespace gantry::nova
