// SPDX-License-Identifier: Apache-2.0
//
// AggregateRamFilter (Icehouse to Ussuri): RamFilter's rule with the least ram_allocation_ratio of the host's
// aggregates where one sets it.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class aggregate_ram final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("AggregateRamFilter", asked);
    return begin_ram(asked, "ram_allocation_ratio");
  }
};

}  // namespace

const filter_rule aggregate_ram_filter{"AggregateRamFilter", false, false, make_filter<aggregate_ram>,
                                       "too little memory free by the ratio of the host's aggregates"};

}  // namespace filter_driver
