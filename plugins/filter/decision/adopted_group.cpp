// SPDX-License-Identifier: Apache-2.0
#include "decision/adopted_group.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "python/python_json.hpp"

namespace filter_driver {

void adopt_group(const gantry::request& request, const host_table& hosts, request_facts& facts) {
  const auto* const known = request.group();
  if (known == nullptr) return;
  const bool names_policy = facts.group && (facts.group->policy || facts.group->policies);
  if (!facts.group) facts.group.emplace().is_joined = true;
  auto& group = *facts.group;
  if (!names_policy && known->policy.size != 0) {
    group.policy_is_set = true;
    group.policy = gantry::text(known->policy);
    group.policies = std::vector<std::string>{*group.policy};
    const auto rules = read_json(gantry::text(known->rules));
    const bool has_rules = rules.ok() && rules.value().is_object();
    if (const auto* const most = has_rules ? rules.value().as_object().if_contains("max_server_per_host") : nullptr)
      group.max_server_per_host = *most;
  }
  if (!group.members) {
    auto& members = group.members.emplace();
    for (std::uint64_t i = 0; i < known->members.count; ++i)
      members.emplace_back(gantry::text(known->members.items[i]));
  }
  if (!group.hosts) group.hosts.emplace();
  group.hosts_are_none = false;
  for (std::uint64_t i = 0; i < known->member_row_count; ++i) {
    const std::string host(hosts.host[known->member_rows[i]].value_or(""));
    if (std::find(group.hosts->begin(), group.hosts->end(), host) == group.hosts->end()) group.hosts->push_back(host);
  }
}

void read_as_before_zed(request_facts& facts) {
  if (facts.group && facts.group->policy && !facts.group->policies)
    facts.group->policies = std::vector<std::string>{*facts.group->policy};
}

}  // namespace filter_driver
