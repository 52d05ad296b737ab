// SPDX-License-Identifier: Apache-2.0
//
// IoOpsWeigher (from Kilo on): num_io_ops; its multiplier is negative by default, so that idle hosts are preferred.
#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class io_ops_weighing final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<column_run>(asked.hosts.num_io_ops);
  }
};

}  // namespace

const weigher_rule io_ops_weigher{"IoOpsWeigher",
                                  0.0,
                                  std::nullopt,
                                  &settings::io_ops_weight_multiplier,
                                  "io_ops_weight_multiplier",
                                  false,
                                  make_weigher<io_ops_weighing>};

}  // namespace filter_driver
