// SPDX-License-Identifier: Apache-2.0
//
// The metrics of the service's methods, of every transport.
#pragma once

#include "core/scheduling/state/state.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::scheduling {

void write_calls(State& state, telemetry::MetricText& into);

}  // namespace gantry::scheduling
