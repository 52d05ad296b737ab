// SPDX-License-Identifier: Apache-2.0
//
// AggregateDiskFilter (Juno to Ussuri): DiskFilter's rule with the least disk_allocation_ratio of the host's aggregates
// where one sets it.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class aggregate_disk final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("AggregateDiskFilter", asked);
    return begin_disk(asked, "disk_allocation_ratio");
  }
};

}  // namespace

const filter_rule aggregate_disk_filter{"AggregateDiskFilter", false, false, make_filter<aggregate_disk>,
                                        "too little disk free by the ratio of the host's aggregates"};

}  // namespace filter_driver
