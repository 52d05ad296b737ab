// SPDX-License-Identifier: Apache-2.0
#include "group_rules.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <limits>

namespace simple_driver {

namespace {

// Nova stores the rule as a number or as its text. Any other value gives the default, 1.
std::uint32_t read_most_on_a_host(std::string_view rules) {
  boost::system::error_code error;
  const boost::json::value parsed = boost::json::parse({rules.data(), rules.size()}, error);
  if (error || !parsed.is_object()) return 1;
  const boost::json::value* rule = parsed.get_object().if_contains("max_server_per_host");
  if (rule == nullptr) return 1;
  std::int64_t most = 1;
  if (const std::int64_t* number = rule->if_int64()) most = *number;
  if (const boost::json::string* text = rule->if_string()) most = std::atoll(text->c_str());
  if (most < 1) return 1;
  return most > std::numeric_limits<std::int32_t>::max() ? std::numeric_limits<std::int32_t>::max()
                                                         : static_cast<std::uint32_t>(most);
}

}  // namespace

group_rules::group_rules(const gantry::request& request) : hosts_(request.view().texts("host")) {
  const gantry_group* group = request.group();
  if (group == nullptr) return;
  if (gantry::text(group->policy) == "affinity") policy_ = policy::affinity;
  if (gantry::text(group->policy) == "anti-affinity") policy_ = policy::anti_affinity;
  if (!binds()) return;
  most_on_a_host_ = read_most_on_a_host(gantry::text(group->rules));
  for (std::uint64_t index = 0; index < group->member_row_count; ++index) {
    ++members_[hosts_.codes()[group->member_rows[index]]];
  }
  if (group->hosts.count == 0) return;
  // The request names hosts that hold members. Each counts at least one member, even if the fleet knows none there.
  const gantry::name_set named(group->hosts);
  for (std::uint32_t code = 0; code < hosts_.dictionary().size(); ++code) {
    if (named.contains(gantry::text(hosts_.dictionary()[code]))) members_.emplace(code, 1);
  }
}

void group_rules::narrow(gantry::call& call, gantry::bitmap& rows) const {
  if (members_.empty()) return;
  gantry::bitmap codes = call.empty_bitmap(static_cast<std::uint32_t>(hosts_.dictionary().size()));
  for (const auto& [code, count] : members_) {
    if (policy_ == policy::affinity || !is_open(count)) codes.set(code);
  }
  const bool wanted = policy_ == policy::affinity;
  const std::uint32_t* code_of_row = hosts_.codes();
  rows.keep_if([&](std::uint32_t row) { return codes.test(code_of_row[row]) == wanted; });
}

bool group_rules::allows(std::uint32_t row) const {
  if (policy_ != policy::anti_affinity) return true;
  const auto found = members_.find(hosts_.codes()[row]);
  return found == members_.end() || is_open(found->second);
}

bool group_rules::placed(std::uint32_t row) {
  if (!binds()) return false;
  const bool first = members_.empty();
  ++members_[hosts_.codes()[row]];
  return first && policy_ == policy::affinity;
}

bool group_rules::is_open(std::uint32_t members) const {
  return members < most_on_a_host_;
}

}  // namespace simple_driver
