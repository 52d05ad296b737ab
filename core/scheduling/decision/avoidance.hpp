// SPDX-License-Identifier: Apache-2.0
//
// Hosts that a decision avoids because they fail builds of its kind again and again (State::build_failures). A driver's
// pick of such a host is turned down, so that the driver goes on to its next choice. Where no other host is left, the
// avoided hosts are used nevertheless.
#pragma once

#include <memory>

#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

// Decides as decide() does, but uses the hosts that fail builds of the request's kind last. The request must outlive the decision.
Result<std::unique_ptr<InstanceDecision>> decide_avoiding(State& state, const MethodCall& call,
                                                          InstanceRequest& request);

}  // namespace gantry::scheduling
