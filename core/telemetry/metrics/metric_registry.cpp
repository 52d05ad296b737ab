// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/metric_registry.hpp"

#include <utility>

namespace gantry::telemetry {

void MetricRegistry::add(Source source) {
  const std::lock_guard lock(mutex_);
  sources_.push_back(std::move(source));
}

std::string MetricRegistry::text() const {
  MetricText into;
  const std::lock_guard lock(mutex_);
  for (const auto& source : sources_) source(into);
  return into.text();
}

}  // namespace gantry::telemetry
