// SPDX-License-Identifier: Apache-2.0
//
// The metrics of the service: what /metrics tells. sdk/metrics.md lists them.
#pragma once

#include "core/scheduling/state/state.hpp"
#include "core/telemetry/metrics/metric_registry.hpp"

namespace gantry::scheduling {

// Adds the sources of all metrics of the state. The state outlives the registry's last use.
void add_service_metrics(telemetry::MetricRegistry& registry, State& state);

}  // namespace gantry::scheduling
