// SPDX-License-Identifier: Apache-2.0
//
// The use of the system by this process: memory, descriptors, processor time. The names are those that Prometheus' own
// client libraries use.
#pragma once

#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::telemetry {

// Adds what can be read. Leaves out the rest.
void write_process(MetricText& into);

// Returns the resident memory in bytes. 0: it cannot be read.
std::uint64_t resident_memory();
// Returns how many descriptors are open. 0: that cannot be read.
std::uint64_t open_descriptors();

}  // namespace gantry::telemetry
