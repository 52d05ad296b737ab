// SPDX-License-Identifier: Apache-2.0
//
// AggregateNumInstancesFilter (from Juno on): NumInstancesFilter's rule with the least max_instances_per_host of the
// host's aggregates where one sets it.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class aggregate_num_instances final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return begin_num_instances(asked, "max_instances_per_host");
  }
};

}  // namespace

const filter_rule aggregate_num_instances_filter{"AggregateNumInstancesFilter", false, false,
                                                 make_filter<aggregate_num_instances>,
                                                 "too many instances, by the limit of the host's aggregates"};

}  // namespace filter_driver
