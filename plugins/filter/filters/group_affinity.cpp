// SPDX-License-Identifier: Apache-2.0
//
// GroupAffinityFilter (Icehouse, Juno): applies to a group of the policy 'legacy', which a hint names without a
// server group of that name. Hosts that hold members pass. Any host passes while there are no members.
#include "filters/filters.hpp"
#include "filters/parts/group_hosts.hpp"

namespace filter_driver {

namespace {

class group_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!has_policy(asked, "legacy")) return nullptr;
    return begin_among("GroupAffinityFilter", asked);
  }
};

}  // namespace

const filter_rule group_affinity_filter{"GroupAffinityFilter", false, false, make_filter<group_affinity>,
                                        "holds no member of the server group"};

}  // namespace filter_driver
