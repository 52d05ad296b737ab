// SPDX-License-Identifier: Apache-2.0
#include "group_rules.hpp"

#include <cstdlib>

namespace lua_driver {

namespace {

// Nova stores the rule as a number or as its text. Any other value gives the default, 1.
std::uint32_t read_most_on_a_host(std::string_view rules) {
  const gantry::json_value rule = gantry::json_value(rules)["max_server_per_host"];
  const std::int64_t most = rule.is_text() ? std::atoll(rule.text()->c_str()) : rule.integer().value_or(1);
  if (most < 1) return 1;
  return most > INT32_MAX ? INT32_MAX : static_cast<std::uint32_t>(most);
}

}  // namespace

group_rules::group_rules(const gantry::request& request) : hosts_(request.view().texts("host")) {
  const gantry_group* group = request.group();
  if (group == nullptr) return;
  has_group_ = true;
  if (gantry::text(group->policy) == "affinity") policy_ = policy::affinity;
  if (gantry::text(group->policy) == "anti-affinity") policy_ = policy::anti_affinity;
  most_on_a_host_ = read_most_on_a_host(gantry::text(group->rules));
  for (std::uint64_t index = 0; index < group->member_row_count; ++index)
    ++members_[hosts_.codes()[group->member_rows[index]]];
  if (group->hosts.count == 0) return;
  // The request names hosts that hold members. Each counts at least one member, even if the fleet knows none there.
  const gantry::name_set named(group->hosts);
  for (std::uint32_t code = 0; code < hosts_.dictionary().size(); ++code) {
    if (named.contains(gantry::text(hosts_.dictionary()[code]))) members_.emplace(code, 1);
  }
}

void group_rules::narrow(gantry::bitmap& rows) const {
  if (!binds() || members_.empty()) return;
  const bool together = policy_ == policy::affinity;
  rows.keep_if([&](std::uint32_t row) {
    const std::uint32_t members = members_on(row);
    return together ? members != 0 : members < most_on_a_host_;
  });
}

std::uint32_t group_rules::members_on(std::uint32_t row) const {
  const auto found = members_.find(hosts_.codes()[row]);
  return found == members_.end() ? 0 : found->second;
}

void group_rules::placed(std::uint32_t row) {
  if (has_group_) ++members_[hosts_.codes()[row]];
}

}  // namespace lua_driver
