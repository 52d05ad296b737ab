// SPDX-License-Identifier: Apache-2.0
//
// RAMWeigher (from Icehouse on): free_ram_mb.
#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class ram_weighing final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<column_run>(asked.hosts.free_ram_mb);
  }
};

}  // namespace

const weigher_rule ram_weigher{"RAMWeigher",
                               0.0,
                               std::nullopt,
                               &settings::ram_weight_multiplier,
                               "ram_weight_multiplier",
                               false,
                               make_weigher<ram_weighing>};

}  // namespace filter_driver
