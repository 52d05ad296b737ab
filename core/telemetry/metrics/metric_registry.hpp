// SPDX-License-Identifier: Apache-2.0
//
// The sources of all metrics of the service. A source reads its values when it is asked, and gathers nothing before.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::telemetry {

// [any thread]
class MetricRegistry {
 public:
  // Adds samples to families. Must not block for long.
  using Source = std::function<void(MetricText& into)>;

  // Adds a source. It lives as long as the registry is read.
  void add(Source source);
  // Returns the metrics of all sources in Prometheus' text format. One call at a time reads the sources.
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Source> sources_;
};

}  // namespace gantry::telemetry
