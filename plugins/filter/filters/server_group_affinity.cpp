// SPDX-License-Identifier: Apache-2.0
//
// ServerGroupAffinityFilter (from Icehouse on): for a group with 'affinity' among its policies (the list, in Zed too),
// hosts that hold members pass, or any host while none does. In Zed a group without the list is an error.
#include "filters/filters.hpp"
#include "filters/parts/group_hosts.hpp"
#include "rules/refusal.hpp"

namespace filter_driver {

namespace {

constexpr const char* server_group_affinity_name = "ServerGroupAffinityFilter";

class server_group_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& group = asked.request.group;
    if (asked.options.compatibility->affinity_needs_policies && group && !group->policies)
      return refuses_any(
          server_group_affinity_name, asked.hosts,
          {"ObjectActionError", "the request's server group comes without its list of policies, or it is null"});
    if (!has_policy(asked, "affinity")) return nullptr;
    return begin_among(server_group_affinity_name, asked);
  }

  void bind(const question& asked, gantry::group_bound& bound) const override {
    if (asked.request.group && has_policy(asked, "affinity") && !is_placed(asked)) bound.together = true;
  }
};

}  // namespace

const filter_rule server_group_affinity_filter{server_group_affinity_name, false, false,
                                               make_filter<server_group_affinity>,
                                               "holds no member of the server group"};

}  // namespace filter_driver
