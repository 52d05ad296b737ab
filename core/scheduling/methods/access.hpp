// SPDX-License-Identifier: Apache-2.0
//
// What each role may call. What is not named in access.cpp is for admins alone.
#pragma once

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Whether the caller may call the method at all; known before a body is read.
Result<void> check_role(const Caller& caller, std::string_view method);

// Whether the caller may call it with these arguments: an agent for its own host, a service on its own topics.
Result<void> check_scope(const State& state, const Caller& caller, const MethodCall& call);

}  // namespace gantry::scheduling
