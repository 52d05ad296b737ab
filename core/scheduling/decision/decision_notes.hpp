// SPDX-License-Identifier: Apache-2.0
//
// Notes of decisions for the archive of decisions (State::decisions).
#pragma once

#include <string>

#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

// Returns the note of a decision. `error`: the answer to the caller, nullptr if the decision is the answer. The decision
// stays as it is.
DecisionNote note_of(const MethodCall& call, const InstanceRequest& request, const InstanceDecision& decision,
                     const Error* error);
// Returns the note of a request that was refused before a driver was asked.
DecisionNote note_of_refusal(const State& state, const MethodCall& call, const InstanceRequest& request,
                             const Error& error);

// The two parts of a note that are JSON, and how they are read again.
std::string group_text(const RequestedGroup& group);
RequestedGroup read_group(const json::object& group);
std::string bounds_text(const RowBounds& bounds);
RowBounds read_bounds(const json::object& bounds);
// Returns whether the hosts had more allocation candidates than a note keeps.
bool lacks_candidates(const json::object& bounds);

}  // namespace gantry::scheduling
