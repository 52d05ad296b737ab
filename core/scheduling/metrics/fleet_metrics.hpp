// SPDX-License-Identifier: Apache-2.0
//
// The metrics of the fleet: hosts by state, free room, instances, claims, casts.
#pragma once

#include "core/scheduling/state/state.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::scheduling {

// Adds the samples of one moment of the fleet. Takes the fleet's lock as briefly as a decision does.
void write_fleet(const State& state, telemetry::MetricText& into);

}  // namespace gantry::scheduling
