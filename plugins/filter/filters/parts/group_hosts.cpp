// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/group_hosts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "rules/refusal.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class group_hosts_run final : public filter_run {
 public:
  group_hosts_run(const text_codes& column, const std::vector<std::string>& hosts, bool among)
      : column_(column), hosts_(hosts), is_of_group_(column.is_one_of(hosts)), among_(among) {}

  std::string reason() override {
    if (!among_) return "holds a member of the server group";
    std::vector<std::string> names;
    for (const auto& host : hosts_) names.push_back(quoted(host));
    return "holds no member of the server group, whose members are on " + listed(names);
  }

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) { return is_of_group_[column_.code(row)] == among_; });
  }

 private:
  const text_codes& column_;
  const std::vector<std::string>& hosts_;
  std::vector<bool> is_of_group_;  // for each code of a host name
  bool among_;
};

std::unique_ptr<filter_run> begin(std::string_view filter, const question& asked, bool among) {
  const auto& group = *asked.request.group;
  if (group.hosts_are_none) return nullptr;
  if (!group.hosts)
    return refuses_any(filter, asked.hosts,
                       {"OrphanedObjectError", "the request's server group comes without its hosts"});
  if (group.hosts->empty()) return nullptr;
  return std::make_unique<group_hosts_run>(asked.hosts.host, *group.hosts, among);
}

}  // namespace

bool is_placed(const question& asked) {
  const std::array<std::string, 1> own{asked.request.instance_uuid};
  return asked.hosts.instances != nullptr && !asked.hosts.instances->rows_of(own).empty();
}

bool has_policy(const question& asked, std::string_view policy) {
  const auto& group = asked.request.group;
  return group && group->policies &&
         std::find(group->policies->begin(), group->policies->end(), policy) != group->policies->end();
}

std::unique_ptr<filter_run> begin_among(std::string_view filter, const question& asked) {
  return begin(filter, asked, true);
}

std::unique_ptr<filter_run> begin_not_among(std::string_view filter, const question& asked) {
  return begin(filter, asked, false);
}

}  // namespace filter_driver
