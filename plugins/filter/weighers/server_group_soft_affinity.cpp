// SPDX-License-Identifier: Apache-2.0
//
// ServerGroupSoftAffinityWeigher (from Mitaka on): for a group of the policy 'soft-affinity', how many of its members
// are on the host; otherwise 0.
#include "weighers/group_members.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

constexpr const char* server_group_soft_affinity_name = "ServerGroupSoftAffinityWeigher";

class server_group_soft_affinity final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return begin_group_members(server_group_soft_affinity_name, asked, "soft-affinity", 1);
  }
};

}  // namespace

const weigher_rule server_group_soft_affinity_weigher{server_group_soft_affinity_name,
                                                      std::nullopt,
                                                      std::nullopt,
                                                      &settings::soft_affinity_weight_multiplier,
                                                      "soft_affinity_weight_multiplier",
                                                      false,
                                                      make_weigher<server_group_soft_affinity>};

}  // namespace filter_driver
