// SPDX-License-Identifier: Apache-2.0
//
// AggregateCoreFilter (Icehouse to Ussuri): CoreFilter's rule with the least cpu_allocation_ratio of the host's
// aggregates where one sets it.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class aggregate_core final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return begin_core(asked, "cpu_allocation_ratio");
  }
};

}  // namespace

const filter_rule aggregate_core_filter{"AggregateCoreFilter", false, false, make_filter<aggregate_core>,
                                        "too few vCPUs free by the ratio of the host's aggregates"};

}  // namespace filter_driver
