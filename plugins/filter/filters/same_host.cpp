// SPDX-License-Identifier: Apache-2.0
//
// SameHostFilter (from Icehouse on): hosts with at least one of the instances that the hint
// same_host names pass. Without the hint, or with an empty one, all do.
#include "filters/filters.hpp"
#include "filters/parts/hinted_instances.hpp"

namespace filter_driver {

namespace {

class same_host final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return hinted_instances_run("SameHostFilter", asked, "same_host", true);
  }
};

}  // namespace

const filter_rule same_host_filter{"SameHostFilter", true, false, make_filter<same_host>,
                                   "holds no instance of the hint same_host"};

}  // namespace filter_driver
