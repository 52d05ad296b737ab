// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

using Groups = std::map<std::string, GroupFact>;

Groups::iterator find(Model& model, const std::string& name) {
  return std::find_if(model.groups.begin(), model.groups.end(),
                      [&](const auto& entry) { return entry.first == name || entry.second.name == name; });
}

json::object shown(const Model& model, const std::string& uuid, const GroupFact& group) {
  std::set<std::string> hosts;
  const auto members = model.members_of(uuid);
  for (const auto& member : members) {
    const auto instance = model.instances.find(member);
    if (instance != model.instances.end() && !instance->second.host.empty()) hosts.insert(instance->second.host);
  }
  return {{"uuid", uuid},
          {"name", group.name},
          {"policy", group.policy},
          {"rules", group.rules},
          {"members", json::array(members.begin(), members.end())},
          {"hosts", json::array(hosts.begin(), hosts.end())},
          {"project_id", ""},
          {"user_id", ""}};
}

// Their order is not told of.
json::object with_sorted_members(json::object group) {
  auto& members = group["members"].as_array();
  std::sort(members.begin(), members.end(),
            [](const json::value& a, const json::value& b) { return a.as_string() < b.as_string(); });
  return group;
}

Complaint create_group(Model& model, const Asked& asked, const Reply& reply) {
  constexpr std::array<std::string_view, 4> policies{"affinity", "anti-affinity", "soft-affinity",
                                                     "soft-anti-affinity"};
  const auto policy = text(asked.args, "policy");
  if (std::find(policies.begin(), policies.end(), policy) == policies.end()) {
    return expect_error(reply, ErrorCode::invalid_argument);
  }
  if (const auto* rules = json::find_object(asked.args, "rules");
      rules != nullptr && (policy != "anti-affinity" || *json::find_integer(*rules, "max_server_per_host") < 1))
    return expect_error(reply, ErrorCode::invalid_argument);
  const auto name = text(asked.args, "name");
  if (find(model, name) != model.groups.end()) return expect_error(reply, ErrorCode::already_exists);
  if (!reply) return "expected a new group, found " + text_of(reply);
  GroupFact made{name, policy, {}, {}};
  if (const auto* rules = json::find_object(asked.args, "rules")) made.rules = *rules;
  const auto uuid = text(reply->as_object(), "uuid");
  if (uuid.empty() || model.groups.contains(uuid)) return "expected a uuid that is new, found '" + uuid + "'";
  model.groups[uuid] = made;
  return expect_answer(reply, shown(model, uuid, made));
}

Complaint delete_group(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, text(asked.args, "group"));
  if (found == model.groups.end()) return expect_error(reply, ErrorCode::not_found);
  model.groups.erase(found);
  return expect_answer(reply, json::object());
}

Complaint show_group(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, text(asked.args, "group"));
  if (found == model.groups.end()) return expect_error(reply, ErrorCode::not_found);
  if (!reply) return "expected a group, found " + text_of(reply);
  return expect_same(with_sorted_members(reply->as_object()), shown(model, found->first, found->second));
}

Complaint list_groups(Model& model, const Asked&, const Reply& reply) {
  json::array expected;
  for (const auto& [uuid, group] : model.groups) expected.push_back(shown(model, uuid, group));
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::array answered;
  for (const auto& group : reply->get_array()) answered.push_back(with_sorted_members(group.as_object()));
  return expect_same(answered, expected);
}

// Each member is on one of the rows on which it stands, if there is any.
Complaint group_hosts(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, text(asked.args, "group"));
  if (found == model.groups.end()) return expect_error(reply, ErrorCode::not_found);
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  std::set<std::string> left;
  for (const auto& host : reply->get_array()) left.emplace(std::string_view(host.as_string()));
  const auto answered = left;
  for (const auto& member : model.members_of(found->first)) {
    bool stands = false;
    bool is_answered = false;
    for (const auto& row : model.rows("compute")) {
      if (!model.instances_on(row.name).contains(member)) continue;
      stands = true;
      is_answered = is_answered || answered.contains(row.name.host);
      left.erase(row.name.host);
    }
    if (stands && !is_answered) return "expected the host of member " + member + ", found " + text_of(reply);
  }
  return left.empty() ? Complaint() : "expected hosts of members only, found " + text_of(reply);
}

}  // namespace

void add_group_rules(std::map<std::string, Model::Rule>& rules) {
  rules["create_group"] = create_group;
  rules["delete_group"] = delete_group;
  rules["show_group"] = show_group;
  rules["list_groups"] = list_groups;
  rules["group_hosts"] = group_hosts;
}

}  // namespace gantry::model
