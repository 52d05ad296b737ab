// SPDX-License-Identifier: Apache-2.0
//
// The smallest changes to a request that found no host, with each of which it would have found one. Each is tried: the
// request is decided again with that change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

struct Relaxation {
  std::string change;       // "512 MiB less memory", "zone az2", "without the hint same_host"
  std::uint64_t hosts = 0;  // that are left for the first instance
};

// Returns the relaxations of a request that found no host at `at`: less of one amount, as little less as does, but never a
// server without processor or memory; another zone;
// fewer instances; without one of its conditions. `group`: the server group as the decision knew it. Nothing is claimed.
// Ends early at the call's deadline.
std::vector<Relaxation> relaxations(State& state, const MethodCall& call, const RequestSpec& spec,
                                    const std::optional<RequestedGroup>& group, const Instant& at);

// Returns "With 512 MiB less memory (1 host), or zone az2 (14 hosts) there would be one". Requires: one at least.
std::string relaxations_text(const std::vector<Relaxation>& relaxations);
json::array relaxations_json(const std::vector<Relaxation>& relaxations);

}  // namespace gantry::scheduling
