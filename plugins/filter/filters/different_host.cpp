// SPDX-License-Identifier: Apache-2.0
//
// DifferentHostFilter (from Icehouse on): hosts with none of the instances that the hint
// different_host names pass. Without the hint, or with an empty one, all do.
#include "filters/filters.hpp"
#include "filters/parts/hinted_instances.hpp"

namespace filter_driver {

namespace {

class different_host final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return hinted_instances_run("DifferentHostFilter", asked, "different_host", false);
  }
};

}  // namespace

const filter_rule different_host_filter{"DifferentHostFilter", true, false, make_filter<different_host>,
                                        "holds an instance of the hint different_host"};

}  // namespace filter_driver
