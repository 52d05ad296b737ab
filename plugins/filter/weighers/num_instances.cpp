// SPDX-License-Identifier: Apache-2.0
//
// NumInstancesWeigher (from Bobcat on): num_instances. Its multiplier is 0 by default. A positive one packs instances,
// a negative one spreads them.
#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class num_instances_weighing final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<column_run>(asked.hosts.num_instances);
  }
};

}  // namespace

const weigher_rule num_instances_weigher{"NumInstancesWeigher",
                                         std::nullopt,
                                         std::nullopt,
                                         &settings::num_instances_weight_multiplier,
                                         "num_instances_weight_multiplier",
                                         false,
                                         make_weigher<num_instances_weighing>};

}  // namespace filter_driver
