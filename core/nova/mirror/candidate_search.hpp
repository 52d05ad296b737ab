// SPDX-License-Identifier: Apache-2.0
//
// Placement's allocation candidates, computed from the providers in memory. The answer is the one that placement gives
// without a limit. A question is left to placement where its answer is not known to be equal:
//   - a form that read_candidate_question() does not read;
//   - a provider gives one class to two groups, and group_policy is not none;
//   - equal requests of the group without suffix in several trees, and further groups: placement keeps one of them,
//     and no rule says which;
//   - a sharing provider under another provider, where placement fails;
//   - more than 10,000 combinations in one tree, or 200,000 in all.
#pragma once

#include <string>
#include <string_view>

#include "core/nova/mirror/mirror_candidates.hpp"
#include "core/nova/mirror/provider_state.hpp"

namespace gantry::nova {

struct MirrorAnswer {
  enum class Kind {
    answered,  // there may be no candidates
    refused,   // placement refuses the question
    ask,       // placement is to be asked
  };
  Kind kind = Kind::ask;
  std::string reason;  // for refused and ask
  MirrorCandidates candidates;
};

// Answers a query of GET /allocation_candidates at microversion 1.36, without the question mark.
MirrorAnswer find_candidates(const ProviderState& state, std::string_view query);

}  // namespace gantry::nova
