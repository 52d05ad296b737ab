// SPDX-License-Identifier: Apache-2.0
//
// MetricsFilter (from Icehouse on): hosts pass that have every metric which [metrics] weight_setting names. A host
// whose metrics are None makes an error (from Kilo on, when they became a list).
#include <algorithm>
#include <array>
#include <gantry/driver/failure.hpp>

#include "filters/filters.hpp"
#include "rules/values_by_row.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class metrics_run final : public filter_run {
 public:
  metrics_run(const question& asked, const std::vector<named_ratio>& wanted, values_by_row<std::uint8_t>& known)
      : asked_(asked), wanted_(wanted), known_(known) {}

  void keep(const block& candidates) override {
    static const boost::json::value not_reported;
    const auto* const column = asked_.hosts.metrics;
    if (column == nullptr) {
      candidates.keep_if([this](std::uint32_t row) { return has_all(not_reported, row); });
      return;
    }
    std::array<std::uint8_t, block_rows> verdicts{};
    row_keys documents;
    read_keys(column, candidates, documents);
    known_.read({documents.data()}, candidates, verdicts.data(),
                [&](std::uint32_t row) { return static_cast<std::uint8_t>(has_all(column->at(row), row) ? 1 : 0); });
    candidates.keep_where(
        [](auto verdict) __attribute__((always_inline)) { return verdict == 1; }, verdicts.data());
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    std::vector<std::string> missing;
    const auto* const by_name = asked_.hosts.metrics == nullptr ? nullptr : asked_.hosts.metrics->at(row).if_object();
    for (const auto& metric : wanted_)
      if (by_name == nullptr || !by_name->contains(metric.name)) missing.push_back(quoted(metric.name));
    return mismatch{"each metric of weight_setting", "no " + listed(missing)};
  }

 private:
  bool has_all(const boost::json::value& metrics, std::uint32_t row) const {
    const auto* const by_name = metrics.if_object();
    if (by_name != nullptr)
      return std::all_of(wanted_.begin(), wanted_.end(),
                         [by_name](const named_ratio& metric) { return by_name->contains(metric.name); });
    if (!asked_.options.compatibility->null_metrics_end_the_request) return wanted_.empty();
    throw gantry::failure(gantry::code::invalid_argument,
                          "MetricsFilter: the metrics of host " + asked_.hosts.name_of(row) + " are None");
  }

  question asked_;
  const std::vector<named_ratio>& wanted_;
  values_by_row<std::uint8_t>& known_;
};

class metrics final : public filter {
 public:
  explicit metrics(const settings& options) : wanted_(options.metrics_weight_setting) {}

  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return std::make_unique<metrics_run>(asked, wanted_, known_);
  }

 private:
  std::vector<named_ratio> wanted_;
  mutable values_by_row<std::uint8_t> known_;
};

}  // namespace

const filter_rule metrics_filter{"MetricsFilter", false, false, make_filter<metrics>,
                                 "has not reported a metric of metrics_weight_setting"};

}  // namespace filter_driver
