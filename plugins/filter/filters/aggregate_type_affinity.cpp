// SPDX-License-Identifier: Apache-2.0
//
// AggregateTypeAffinityFilter (from Icehouse on): a host with aggregates that have instance_type takes flavors of the
// names that it lists, any other host takes all. From Ocata on the metadata are split at commas.
#include "filters/filters.hpp"
#include "nova/comma_list.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class type_run final : public aggregate_run {
 public:
  explicit type_run(const question& asked)
      : aggregate_run(asked),
        flavor_(asked.request.flavor->name),
        splits_(asked.options.compatibility->splits_aggregate_values) {}

 protected:
  bool passes(const members& aggregates) override {
    bool is_restricted = false;
    for (const auto* const each : aggregates) {
      const auto names = each->find("instance_type");
      if (!names) continue;
      is_restricted = true;
      if (splits_ ? has_item(*names, flavor_) : *names == flavor_) return true;
    }
    return !is_restricted;
  }

  mismatch lack_of(const members& aggregates) override {
    return {"a host for flavor " + quoted(flavor_), values_of(aggregates, "instance_type")};
  }

 private:
  std::string_view flavor_;
  bool splits_;
};

class aggregate_type_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!asked.request.flavor) return nullptr;
    return std::make_unique<type_run>(asked);
  }
};

}  // namespace

const filter_rule aggregate_type_affinity_filter{"AggregateTypeAffinityFilter", true, false,
                                                 make_filter<aggregate_type_affinity>,
                                                 "the host's aggregates keep it for other flavors"};

}  // namespace filter_driver
