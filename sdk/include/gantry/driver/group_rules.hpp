// SPDX-License-Identifier: Apache-2.0
//
// Server groups, for drivers that have no rule of their own. Affinity requires a host that holds a member, once the group
// has members. Anti-affinity excludes hosts that hold max_server_per_host members or more (1 if the group's rules do not
// set the number). The soft policies exclude no host; members_on serves to weigh by them. The members on all nodes of a
// host count together. The manifest needs the column `host`.
//
//   gantry::narrowing found = gantry::candidates(call, request);
//   gantry::group_rules group(request);
//   if (group.binds()) {
//     group.narrow(call, found.rows());
//     found.step(group.name(), group.reason());
//   }
//   ...
//   call.pick(instance, row, {}, {}, {}, group.bound());
//   if (group.placed(row)) group.narrow(call, found.rows());
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/candidates.hpp>
#include <gantry/driver/json.hpp>
#include <gantry/driver/request.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

namespace gantry {

// The group of one request. Refers to the request's view.
class group_rules {
 public:
  explicit group_rules(const request& request) : hosts_(request.view().texts("host")) {
    const gantry_group* group = request.group();
    if (group == nullptr) return;
    has_group_ = true;
    if (text(group->policy) == "affinity") policy_ = policy::affinity;
    if (text(group->policy) == "anti-affinity") policy_ = policy::anti_affinity;
    most_on_a_host_ = read_most_on_a_host(text(group->rules));
    for (std::uint64_t index = 0; index < group->member_row_count; ++index)
      ++members_[hosts_.codes()[group->member_rows[index]]];
    if (group->hosts.count == 0) return;
    // The request names hosts that hold members. Each counts at least one member, even if the fleet knows none there.
    const name_set named(group->hosts);
    for (std::uint32_t code = 0; code < hosts_.dictionary().size(); ++code) {
      if (named.contains(text(hosts_.dictionary()[code]))) members_.emplace(code, 1);
    }
  }

  // True if the request has a group whose policy is affinity or anti-affinity.
  bool binds() const { return policy_ != policy::unbound; }
  // The name of the step, and why hosts were removed in it.
  std::string_view name() const { return policy_ == policy::affinity ? "affinity" : "anti-affinity"; }
  std::string_view reason() const {
    return policy_ == policy::affinity ? "they hold no member of the group" : "they hold a member of the group";
  }
  // Returns the rule that the host checks again for each pick.
  group_bound bound() const {
    return {policy_ == policy::anti_affinity ? most_on_a_host_ : 0, policy_ == policy::affinity};
  }

  // Returns how many members the host of a row holds.
  std::uint32_t members_on(std::uint32_t row) const {
    const auto found = members_.find(hosts_.codes()[row]);
    return found == members_.end() ? 0 : found->second;
  }
  // Returns whether one more member may go to the row.
  bool allows(std::uint32_t row) const {
    if (!binds() || members_.empty()) return true;
    return policy_ == policy::affinity ? members_on(row) != 0 : members_on(row) < most_on_a_host_;
  }
  // Removes the rows that allows() refuses.
  void narrow(call& call, bitmap& rows) const {
    if (!binds() || members_.empty()) return;
    const bool together = policy_ == policy::affinity;
    bitmap codes = call.empty_bitmap(static_cast<std::uint32_t>(hosts_.dictionary().size()));
    for (const auto& [code, count] : members_) {
      if (together || count >= most_on_a_host_) codes.set(code);
    }
    const std::uint32_t* code_of_row = hosts_.codes();
    rows.keep_if([&](std::uint32_t row) { return codes.test(code_of_row[row]) == together; });
  }
  // Records a placement. Returns true if rows besides those of the same host are now refused: the group that is bound by
  // affinity has got its first member.
  bool placed(std::uint32_t row) {
    const bool first = members_.empty();
    if (has_group_) ++members_[hosts_.codes()[row]];
    return first && policy_ == policy::affinity;
  }

 private:
  enum class policy { unbound, affinity, anti_affinity };

  // Nova stores the rule as a number or as its text. Any other value gives the default, 1.
  static std::uint32_t read_most_on_a_host(std::string_view rules) {
    const json_value rule = json_value(rules)["max_server_per_host"];
    const std::int64_t most = rule.is_text() ? std::atoll(rule.text()->c_str()) : rule.integer().value_or(1);
    if (most < 1) return 1;
    return most > INT32_MAX ? INT32_MAX : static_cast<std::uint32_t>(most);
  }

  policy policy_ = policy::unbound;
  bool has_group_ = false;
  std::uint32_t most_on_a_host_ = 1;
  text_column hosts_;
  std::unordered_map<std::uint32_t, std::uint32_t> members_;  // code of the host's name -> members on the host
};

}  // namespace gantry
