// SPDX-License-Identifier: Apache-2.0
//
// The metrics of drivers and of their decisions.
#pragma once

#include "core/scheduling/state/state.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::scheduling {

void write_decisions(State& state, telemetry::MetricText& into);

}  // namespace gantry::scheduling
