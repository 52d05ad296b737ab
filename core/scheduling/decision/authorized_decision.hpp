// SPDX-License-Identifier: Apache-2.0
//
// A request that is decided together with the authority: admit, decide, confirm. See authority.hpp.
#pragma once

#include <functional>
#include <memory>

#include "core/scheduling/authority.hpp"
#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

struct AuthorizedDecision {
  std::unique_ptr<Admission> admission;
  std::unique_ptr<InstanceRequest> request;    // with the spec as the authority has changed it
  std::unique_ptr<InstanceDecision> decision;  // last: uses the request
};

// Makes the request of a spec: of the one that came, and of the one that the authority has made of it.
using BuildRequest = std::function<Result<std::unique_ptr<InstanceRequest>>(json::object spec)>;

// Decides. If the request's picks are claimed, the authority holds all of them when this returns, or none. no_valid_host
// is returned only if facts and rows are from after the call began. Blocks until the call's deadline at the latest. Keeps a
// record of the decision in State::recent_decisions. Requires: state.parts.authority.
Result<AuthorizedDecision> decide_with_authority(State& state, const MethodCall& call, const json::object& spec,
                                                 const BuildRequest& build);

}  // namespace gantry::scheduling
