// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a service that has the place of nova-scheduler: broker, databases, placement's mirror.
#pragma once

#include "core/encoding/json.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::scheduling {

// `status` is what Authority::status() says. Leaves out the members that it lacks.
void write_nova(const json::object& status, telemetry::MetricText& into);

}  // namespace gantry::scheduling
