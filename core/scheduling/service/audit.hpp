// SPDX-License-Identifier: Apache-2.0
//
// The audit log: one line and one event for each change that somebody made by hand. Heartbeats, reports, casts and
// scheduling are no such changes. The rows of the method table say which methods are audited (Audit).
#pragma once

#include <optional>
#include <string>

#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Returns who makes the call: "token 9f86d081884c (node1's agent)", or the peer, "unix uid=1000 pid=4711".
std::string caller_text(const MethodCall& call);

// Begins an audited call: returns the object that the call is about as it is before the call, or an empty object if the
// call makes a new one. nullopt: the call is not audited.
std::optional<json::object> begin_audit(const Method& method, const State& state, const MethodCall& call);

// Adds the audit line and the event of an audited call to its outcome, which has a reply and changes something.
// `before`: the result of begin_audit. Adds nothing if the object is as it was.
void audit(const Method& method, const MethodCall& call, const json::object& before, Outcome& outcome);

}  // namespace gantry::scheduling
