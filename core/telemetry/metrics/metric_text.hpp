// SPDX-License-Identifier: Apache-2.0
//
// Writes metrics in Prometheus' text format 0.0.4.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/telemetry/metrics/histogram.hpp"

namespace gantry::telemetry {

// The value of the header Content-Type of such a text.
inline constexpr std::string_view metric_content_type = "text/plain; version=0.0.4; charset=utf-8";

enum class MetricType { counter, gauge, histogram };

struct MetricLabel {
  std::string_view name;
  std::string_view value;
};
using MetricLabels = std::initializer_list<MetricLabel>;

// The samples of one name.
class MetricFamily {
 public:
  MetricFamily(std::string_view name, MetricType type, std::string_view help);

  // Each adds a sample. The labels of two samples differ.
  void add(MetricLabels labels, std::uint64_t value);
  void add(MetricLabels labels, std::int64_t value);
  void add(MetricLabels labels, double value);
  void add(MetricLabels labels, const Histogram::Reading& reading);  // in seconds

  bool is_empty() const { return lines_.empty(); }
  std::string text() const;  // HELP, TYPE and the samples

 private:
  void begin(std::string_view suffix, MetricLabels labels, MetricLabel last = {});
  void end(std::string_view value);

  std::string name_;
  MetricType type_;
  std::string help_;
  std::string lines_;
};

// Gathers the families. Each is written once, though several sources may add to it.
class MetricText {
 public:
  // Returns the family of that name, and makes it at the first call. The name is valid as it is. The reference lives as
  // long as this object.
  MetricFamily& family(std::string_view name, MetricType type, std::string_view help);
  // Returns all families that have a sample, sorted by name.
  std::string text() const;

 private:
  std::map<std::string, MetricFamily, std::less<>> families_;
};

// Returns the name with each character that a metric's name cannot have replaced by "_".
std::string metric_name(std::string_view text);

}  // namespace gantry::telemetry
