// SPDX-License-Identifier: Apache-2.0
//
// The counters of the service as metrics, under names of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/telemetry/counters.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::telemetry {

// Adds a sample for each counter. A driver's own counter ("driver.NAME") becomes
// gantry_driver_counter_total{driver,name}. Leaves out those that other metrics tell with more labels. `always`: names
// and labels that are told as 0 where nothing was counted yet, since a rate needs a sample before the first event.
void write_counters(const Counters& counters, const std::vector<std::pair<std::string, std::string>>& always,
                    MetricText& into);

}  // namespace gantry::telemetry
