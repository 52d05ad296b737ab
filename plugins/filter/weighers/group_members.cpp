// SPDX-License-Identifier: Apache-2.0
#include "weighers/group_members.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rules/refusal.hpp"

namespace filter_driver {

namespace {

class group_members_run final : public weigher_run {
 public:
  // `rows`: one for each member, in order.
  group_members_run(std::vector<std::uint32_t> rows, double each) : rows_(std::move(rows)), each_(each) {}

  void weigh(const block& candidates, double* raw) override {
    std::fill_n(raw, candidates.count, 0.0);
    auto row = std::lower_bound(rows_.begin(), rows_.end(), candidates.first);
    for (; row != rows_.end() && *row - candidates.first < candidates.count; ++row)
      raw[*row - candidates.first] += each_;
  }

 private:
  std::vector<std::uint32_t> rows_;
  double each_;
};

bool follows_policy(const question& asked, std::string_view policy) {
  const auto& group = asked.request.group;
  if (!group) return false;
  if (asked.options.compatibility->groups_have_one_policy) return group->policy == policy;
  return group->policies &&
         std::find(group->policies->begin(), group->policies->end(), policy) != group->policies->end();
}

}  // namespace

std::unique_ptr<weigher_run> begin_group_members(std::string_view weigher, const question& asked,
                                                 std::string_view policy, double each) {
  const auto& group = asked.request.group;
  const bool has_one_policy = asked.options.compatibility->groups_have_one_policy;
  if (group && (has_one_policy ? !group->policy_is_set : !group->policies))
    return refuses_any_weight(weigher, asked.hosts,
                              {"ObjectActionError", "the request's server group comes without its policy"});
  if (!follows_policy(asked, policy)) return nullptr;
  if (!group->members)
    return refuses_any_weight(weigher, asked.hosts,
                              {"ObjectActionError", "the request's server group comes without its members"});
  if (asked.hosts.instances == nullptr) return nullptr;
  auto members = *group->members;
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  auto rows = asked.hosts.instances->rows_of(members);
  if (rows.empty()) return nullptr;
  std::sort(rows.begin(), rows.end());
  return std::make_unique<group_members_run>(std::move(rows), each);
}

}  // namespace filter_driver
