// SPDX-License-Identifier: Apache-2.0
//
// BuildFailureWeigher (from Pike on): failed_builds since the last build that succeeded. The multiplier is negated, so
// hosts that fail are avoided.
#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class build_failure final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<column_run>(asked.hosts.failed_builds);
  }
};

}  // namespace

const weigher_rule build_failure_weigher{"BuildFailureWeigher",
                                         std::nullopt,
                                         std::nullopt,
                                         &settings::build_failure_weight_multiplier,
                                         "build_failure_weight_multiplier",
                                         true,
                                         make_weigher<build_failure>};

}  // namespace filter_driver
