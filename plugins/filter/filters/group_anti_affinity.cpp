// SPDX-License-Identifier: Apache-2.0
//
// GroupAntiAffinityFilter (Icehouse, Juno): applies to a group of the policy 'legacy', which a hint names without a
// server group of that name. Hosts that hold no member pass.
#include "filters/filters.hpp"
#include "filters/parts/group_hosts.hpp"

namespace filter_driver {

namespace {

class group_anti_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!has_policy(asked, "legacy")) return nullptr;
    return begin_not_among("GroupAntiAffinityFilter", asked);
  }
};

}  // namespace

const filter_rule group_anti_affinity_filter{"GroupAntiAffinityFilter", false, false, make_filter<group_anti_affinity>,
                                             "holds a member of the server group"};

}  // namespace filter_driver
