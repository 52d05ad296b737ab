// SPDX-License-Identifier: Apache-2.0
//
// AggregateMultiTenancyIsolation (from Icehouse on): a host with aggregates that have filter_tenant_id takes the
// projects that it lists, any other host takes all. From Dalmatian on, keys with a suffix (filter_tenant_id2) list
// projects too. Before, they say nothing here. From Ocata on the metadata are split at commas.
#include "filters/filters.hpp"
#include "nova/comma_list.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class tenancy_run final : public aggregate_run {
 public:
  explicit tenancy_run(const question& asked)
      : aggregate_run(asked),
        project_(asked.request.project_id),
        splits_(asked.options.compatibility->splits_aggregate_values),
        has_suffixes_(asked.options.compatibility->tenant_keys_have_suffixes) {}

 protected:
  bool passes(const members& aggregates) override {
    bool is_restricted = false;
    for (const auto* const each : aggregates) {
      for (const auto& [name, projects] : each->metadata) {
        if (has_suffixes_ ? !name.starts_with(key) : name != key) continue;
        is_restricted = true;
        if (project_ && (splits_ ? has_item(projects, *project_) : projects == *project_)) return true;
      }
    }
    return !is_restricted;
  }

  mismatch lack_of(const members& aggregates) override {
    std::vector<std::string> projects;
    for (const auto* const each : aggregates) {
      for (const auto& [name, value] : each->metadata)
        if (has_suffixes_ ? name.starts_with(key) : name == key)
          projects.push_back(shortened(name) + " " + quoted(value));
    }
    return {project_ ? "a host for project " + quoted(*project_) : "a host for requests without a project",
            listed(projects)};
  }

 private:
  static constexpr std::string_view key = "filter_tenant_id";

  const std::optional<std::string>& project_;
  bool splits_;
  bool has_suffixes_;
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
