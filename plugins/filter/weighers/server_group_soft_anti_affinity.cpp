// SPDX-License-Identifier: Apache-2.0
//
// ServerGroupSoftAntiAffinityWeigher (from Mitaka on): for a group of the policy 'soft-anti-affinity', how many of its
// members are on the host, below 0; otherwise 0.
#include "weighers/group_members.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

constexpr const char* server_group_soft_anti_affinity_name = "ServerGroupSoftAntiAffinityWeigher";

class server_group_soft_anti_affinity final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return begin_group_members(server_group_soft_anti_affinity_name, asked, "soft-anti-affinity", -1);
  }
};

}  // namespace

const weigher_rule server_group_soft_anti_affinity_weigher{server_group_soft_anti_affinity_name,
                                                           std::nullopt,
                                                           std::nullopt,
                                                           &settings::soft_anti_affinity_weight_multiplier,
                                                           "soft_anti_affinity_weight_multiplier",
                                                           false,
                                                           make_weigher<server_group_soft_anti_affinity>};

}  // namespace filter_driver
