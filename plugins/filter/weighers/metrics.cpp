// SPDX-License-Identifier: Apache-2.0
//
// MetricsWeigher (from Icehouse on): the sum of value x ratio over [metrics] weight_setting, in its order. A host
// without one of the metrics makes an error where [metrics] required; otherwise it weighs weight_of_unavailable, unless
// ratio or multiplier is 0, when that metric is left out.
#include <gantry/driver/failure.hpp>

#include "rules/multiplier.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

constexpr const char* multiplier_key = "metrics_weight_multiplier";

class metrics_weighing_run final : public weigher_run {
 public:
  metrics_weighing_run(const question& asked, const std::vector<named_ratio>& wanted)
      : asked_(asked),
        wanted_(wanted),
        multiplier_(asked, asked.options.metrics_weight_multiplier, multiplier_key, false) {}

  void weigh(const block& candidates, double* raw) override {
    candidates.for_each([&](std::uint32_t i) { raw[i] = weight_of(candidates.first + i); });
  }

 private:
  double weight_of(std::uint32_t row) {
    const auto* const column = asked_.hosts.metrics;
    const auto* const by_name = column == nullptr ? nullptr : column->at(row).if_object();
    double sum = 0;
    for (const auto& metric : wanted_) {
      const auto* const value = by_name == nullptr ? nullptr : by_name->if_contains(metric.name);
      if (value != nullptr)
        sum += number_of(*value, metric.name, row) * metric.ratio;
      else if (asked_.options.metrics_required)
        throw gantry::failure(
            gantry::code::invalid_argument,
            "MetricsWeigher: the metric " + metric.name + " could not be found on host " + asked_.hosts.name_of(row));
      else if (metric.ratio * multiplier_[row] != 0)
        return asked_.options.metrics_weight_of_unavailable;
    }
    return sum;
  }

  double number_of(const boost::json::value& value, const std::string& name, std::uint32_t row) const {
    if (value.is_number()) return value.to_number<double>();
    throw gantry::failure(gantry::code::invalid_argument, "MetricsWeigher: the metric " + name + " of host " +
                                                              asked_.hosts.name_of(row) +
                                                              " is no number: " + boost::json::serialize(value));
  }

  question asked_;
  const std::vector<named_ratio>& wanted_;
  host_multiplier multiplier_;
};

class metrics_weighing final : public weigher {
 public:
  explicit metrics_weighing(const settings& options) : wanted_(options.metrics_weight_setting) {}

  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    if (wanted_.empty()) return nullptr;
    return std::make_unique<metrics_weighing_run>(asked, wanted_);
  }

 private:
  std::vector<named_ratio> wanted_;
};

}  // namespace

const weigher_rule metrics_weigher{"MetricsWeigher",
                                   std::nullopt,
                                   std::nullopt,
                                   &settings::metrics_weight_multiplier,
                                   multiplier_key,
                                   false,
                                   make_weigher<metrics_weighing>};

}  // namespace filter_driver
