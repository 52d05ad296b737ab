// SPDX-License-Identifier: Apache-2.0
//
// ServerGroupAffinityFilter (Icehouse to Zed): for a group with 'affinity' among its policies (the list, in Zed too),
// hosts that hold members pass, or any host while none does. In Zed a group without the list is an error.
#include <gantry/driver/failure.hpp>

#include "filters/filters.hpp"
#include "filters/group_hosts.hpp"

namespace filter_driver {

namespace {

class server_group_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& group = asked.request.group;
    if (asked.options.compatibility != release::icehouse && group && !group->policies)
      throw gantry::failure(gantry::code::invalid_argument,
                            "ServerGroupAffinityFilter: the request's server group comes without its list of policies");
    if (!has_policy(asked, "affinity")) return nullptr;
    return begin_among("ServerGroupAffinityFilter", asked);
  }
};

}  // namespace

const filter_rule server_group_affinity_filter{"ServerGroupAffinityFilter", false, false, in_all,
                                               make_filter<server_group_affinity>};

}  // namespace filter_driver
