// SPDX-License-Identifier: Apache-2.0
//
// DiskWeigher (from Mitaka on): free_disk_mb.
#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class disk_weighing final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<column_run>(asked.hosts.free_disk_mb);
  }
};

}  // namespace

const weigher_rule disk_weigher{"DiskWeigher",
                                0.0,
                                std::nullopt,
                                &settings::disk_weight_multiplier,
                                "disk_weight_multiplier",
                                false,
                                make_weigher<disk_weighing>};

}  // namespace filter_driver
