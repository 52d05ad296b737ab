// SPDX-License-Identifier: Apache-2.0
//
// NumInstancesFilter (from Icehouse on): num_instances must be below max_instances_per_host.
#include "filters/filters.hpp"
#include "filters/parts/below_limit.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class num_instances final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override { return begin_num_instances(asked, {}); }
};

}  // namespace

std::unique_ptr<filter_run> begin_num_instances(const question& asked, std::string_view aggregate_key) {
  return std::make_unique<below_limit>(asked, "instances (max_instances_per_host)", asked.hosts.num_instances,
                                       asked.options.max_instances_per_host, aggregate_key);
}

const filter_rule num_instances_filter{"NumInstancesFilter", false, false, make_filter<num_instances>,
                                       "too many instances (max_instances_per_host)"};

}  // namespace filter_driver
