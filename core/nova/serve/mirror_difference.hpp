// SPDX-License-Identifier: Apache-2.0
//
// How the mirror's answer to a question differs from placement's, and the rule by which.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/nova/placement/candidate_set.hpp"

namespace gantry::nova {

struct MirrorDifference {
  std::string provider;
  bool is_in_mirror = false;  // the provider is in the mirror's answer alone; false: in placement's alone
  bool is_seen = true;        // false: both see the provider, but one alone can claim it
};

// The first difference. An answer of placement that `is_cut` by its limit may lack providers. nullopt: the answers are
// equal.
std::optional<MirrorDifference> difference_of(const CandidateSet& mirrored, const CandidateSet& asked, bool is_cut);
// "provider 4e8e... is seen in placement's answer alone"
std::string text_of(const MirrorDifference& difference);

// Returns the part of the question that keeps a provider out of an answer: the first parameter, or the first resource of
// one, without which the provider is in. `has` puts the shorter question to the one who left the provider out. "the groups
// together": there is no such part.
std::string rule_of(const std::string& query, const std::function<bool(const std::string& query)>& has);

}  // namespace gantry::nova
