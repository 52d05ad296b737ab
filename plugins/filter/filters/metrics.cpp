// SPDX-License-Identifier: Apache-2.0
//
// MetricsFilter (Icehouse to Zed): hosts pass that have every metric which [metrics] weight_setting names. A host whose
// metrics are None makes an error (from Kilo on, when they became a list).
#include <algorithm>
#include <gantry/driver/failure.hpp>

#include "by_document.hpp"
#include "filters/filters.hpp"

namespace filter_driver {

namespace {

class metrics_run final : public filter_run {
 public:
  metrics_run(const question& asked, const std::vector<metric_ratio>& wanted)
      : asked_(asked), wanted_(wanted), verdicts_(asked.hosts.metrics) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) {
      return verdicts_.at(row, [this](const auto& metrics, std::uint32_t of) { return has_all(metrics, of); });
    });
  }

 private:
  bool has_all(const boost::json::value& metrics, std::uint32_t row) const {
    const auto* const by_name = metrics.if_object();
    if (by_name != nullptr)
      return std::all_of(wanted_.begin(), wanted_.end(),
                         [by_name](const metric_ratio& metric) { return by_name->contains(metric.name); });
    if (asked_.options.compatibility == release::icehouse) return wanted_.empty();
    throw gantry::failure(gantry::code::invalid_argument,
                          "MetricsFilter: the metrics of host " + asked_.hosts.name_of(row) + " are None");
  }

  question asked_;
  const std::vector<metric_ratio>& wanted_;
  value_by_document<bool> verdicts_;
};

class metrics final : public filter {
 public:
  explicit metrics(const settings& options) : wanted_(options.metrics_weight_setting) {}

  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return std::make_unique<metrics_run>(asked, wanted_);
  }

 private:
  std::vector<metric_ratio> wanted_;
};

}  // namespace

const filter_rule metrics_filter{"MetricsFilter", false, false, in_all, make_filter<metrics>};

}  // namespace filter_driver
