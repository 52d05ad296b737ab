// SPDX-License-Identifier: Apache-2.0
//
// Measures a decision for metrics and statistics.
#pragma once

#include "core/scheduling/decision/instance_decision.hpp"
#include "core/scheduling/state/instruments.hpp"

namespace gantry::scheduling {

// Counts the decision: its time, its outcome, and how many hosts each step was against. A decision without a host counts
// for the step that left none.
void measure(const State& state, const InstanceDecision& decision, DecisionOutcome outcome);

}  // namespace gantry::scheduling
