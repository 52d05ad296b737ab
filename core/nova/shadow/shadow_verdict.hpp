// SPDX-License-Identifier: Apache-2.0
//
// How a choice of nova-scheduler compares with Gantry's decisions on the same request. Gantry decides when the request
// arrives, and again until nova-scheduler has chosen, since nova-scheduler reads the facts at some time in between.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/nova/shadow/shadow_decision.hpp"

namespace gantry::nova {

enum class Agreement {
  agreed,         // the same hosts, or no valid host for both
  equal_weight,   // nova-scheduler chose a host that weighs as much as Gantry's
  agreed_later,   // the facts have changed: a later decision of Gantry chooses the same, or a host of equal weight
  facts_changed,  // the same, and none of the decisions in between meets nova-scheduler's choice
  differed,
  not_known,  // nova-scheduler's choice could not be seen, or Gantry could not decide
};
inline constexpr std::size_t agreements = 6;
std::string_view name_of(Agreement agreement);

struct NovasChoice {
  std::vector<std::string> hosts;  // by instance, as shown_host has them; empty: refused
  bool is_refused() const { return hosts.empty(); }
};

struct ShadowVerdict {
  Agreement agreement = Agreement::not_known;
  // If differed: "filter ComputeFilter", "weight", "no candidate", "refused by nova-scheduler", "refused by Gantry" or
  // "limit of candidates". If not known: why.
  std::string cause;
};

// `decisions` in their order, one at least. `subset`: how many of the best hosts nova-scheduler chooses from by chance.
// `most_candidates`: placement names at most so many hosts to nova-scheduler; 0: all.
ShadowVerdict judge(std::span<const ShadowDecision> decisions, const NovasChoice& choice, std::size_t subset,
                    std::size_t most_candidates);

}  // namespace gantry::nova
