// SPDX-License-Identifier: Apache-2.0
//
// AggregateMultiTenancyIsolation (Icehouse to Zed): a host with aggregates that have filter_tenant_id takes the
// projects that it lists, any other host takes all. Keys with a suffix (filter_tenant_id2) say nothing here. From Ocata
// on the metadata are split at commas.
#include "filters/filters.hpp"
#include "nova/comma_list.hpp"

namespace filter_driver {

namespace {

class tenancy_run final : public aggregate_run {
 public:
  explicit tenancy_run(const question& asked)
      : aggregate_run(asked),
        project_(asked.request.project_id),
        splits_(asked.options.compatibility->splits_aggregate_values) {}

 protected:
  bool passes(const members& aggregates) override {
    bool is_restricted = false;
    for (const auto* const each : aggregates) {
      const auto projects = each->find("filter_tenant_id");
      if (!projects) continue;
      is_restricted = true;
      if (project_ && (splits_ ? has_item(*projects, *project_) : *projects == *project_)) return true;
    }
    return !is_restricted;
  }

 private:
  const std::optional<std::string>& project_;
  bool splits_;
};

class aggregate_multi_tenancy_isolation final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return std::make_unique<tenancy_run>(asked);
  }
};

}  // namespace

const filter_rule aggregate_multi_tenancy_isolation_filter{"AggregateMultiTenancyIsolation", true, false,
                                                           make_filter<aggregate_multi_tenancy_isolation>,
                                                           "the host's aggregates keep it for other projects"};

}  // namespace filter_driver
