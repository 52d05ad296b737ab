// SPDX-License-Identifier: Apache-2.0
//
// Hosts that a decision avoids because they fail builds of its kind again and again (State::build_failures). The
// core answers a driver's pick of an avoided host as a lost claim, and the driver goes on to its next choice. A request
// for which no other host is left may use avoided hosts.
#pragma once

#include <memory>

#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

// Decides as decide() does, but uses the hosts that fail builds of the request's kind last. The request must outlive the decision.
Result<std::unique_ptr<InstanceDecision>> decide_avoiding(State& state, const MethodCall& call,
                                                          InstanceRequest& request);

}  // namespace gantry::scheduling
