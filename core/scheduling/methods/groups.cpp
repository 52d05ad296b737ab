// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/decision/requested_group.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 4> policies{"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"};

Result<fleet::Group> named_group(const State& state, const MethodCall& call) {
  auto name = required_text(call.args, "group");
  if (!name) return std::move(name).error();
  return find_group(state.parts.fleet, *name, RequestContext(call.context, call.request_id).project_id());
}

Result<void> check_policy(const std::string& policy) {
  if (std::find(policies.begin(), policies.end(), policy) != policies.end()) return {};
  return Error{ErrorCode::invalid_argument,
               "argument 'policy': expected affinity, anti-affinity, soft-affinity or soft-anti-affinity, found '" +
                   policy + "'",
               {}};
}

// As Nova's API checks them. A count as text is one too: the command line and forms send texts.
Result<void> check_rules(const std::string& policy, const json::object& rules) {
  constexpr std::string_view most = "max_server_per_host";
  for (const auto& [key, value] : rules) {
    if (key != most) {
      return Error{ErrorCode::invalid_argument,
                   "argument 'rules': expected max_server_per_host alone, found '" + std::string(key) + "'",
                   {}};
    }
    if (policy != "anti-affinity") {
      return Error{
          ErrorCode::invalid_argument,
          "argument 'rules': expected max_server_per_host with policy anti-affinity alone, found policy " + policy,
          {}};
    }
    json::object count{{most, value}};
    if (auto checked = optional_integer(count, most, 1, 1, std::numeric_limits<std::int32_t>::max()); !checked)
      return std::move(checked).error().within("argument 'rules'");
    if (value.is_null()) return wrong_type("rules.max_server_per_host", "a whole number of at least 1", value);
  }
  return {};
}

// As in Nova, a uuid tells groups apart. Two groups of one project and one name would only confuse.
Result<void> check_name(const fleet::Fleet& fleet, const std::string& name, const std::string& project) {
  auto uuids = fleet.groups_named(name);
  if (fleet.group(name) && uuids.empty()) uuids.push_back(name);
  const bool is_free = std::ranges::none_of(uuids, [&](const std::string& uuid) {
    const auto group = fleet.group(uuid);
    return group && (uuid == name || group->project_id == project);
  });
  if (is_free) return {};
  return Error{ErrorCode::already_exists, "there is a server group '" + name + "' already", {}};
}

json::object group_json(const fleet::Group& group, const fleet::Fleet& fleet) {
  std::set<std::string> hosts;
  const auto members = fleet.members_of(group.uuid);
  for (const auto& member : members) {
    const auto instance = fleet.instance(member);
    if (instance && !instance->host.empty()) hosts.insert(instance->host);
  }
  return {{"uuid", group.uuid},
          {"name", group.name},
          {"policy", group.policy},
          {"rules", group.rules},
          {"members", json::array(members.begin(), members.end())},
          {"hosts", json::array(hosts.begin(), hosts.end())},
          {"project_id", group.project_id},
          {"user_id", group.user_id}};
}

Outcome list_groups(State& state, const MethodCall& call) {
  auto filters = read_filters(call.args, {"policy", "project_id"});
  if (!filters) return failed(std::move(filters).error());
  if (auto known =
          check_choice(*filters, "policy", {"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"});
      !known)
    return failed(std::move(known).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto& fleet = state.parts.fleet;
  return page_of(
      *wish, fleet.groups(), [](const auto& group) { return group.uuid; },
      [&](const auto& group) {
        return filters->fit("policy", group.policy) && filters->fit("project_id", group.project_id);
      },
      [&](const auto& group) { return group_json(group, fleet); });
}

Outcome show_group(State& state, const MethodCall& call) {
  auto group = named_group(state, call);
  if (!group) return failed(std::move(group).error());
  Outcome outcome;
  outcome.reply = json::value(group_json(*group, state.parts.fleet));
  return outcome;
}

Outcome create_group(State& state, const MethodCall& call) {
  auto name = required_text(call.args, "name");
  if (!name) return failed(std::move(name).error());
  auto policy = required_text(call.args, "policy");
  if (!policy) return failed(std::move(policy).error());
  if (auto known = check_policy(*policy); !known) return failed(std::move(known).error());
  auto rules = optional_object(call.args, "rules");
  if (!rules) return failed(std::move(rules).error());
  if (auto checked = check_rules(*policy, *rules); !checked) return failed(std::move(checked).error());
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  if (auto room = fleet.check_room_for_group(); !room) return failed(std::move(room).error());
  const RequestContext context(call.context, call.request_id);
  if (auto free = check_name(fleet, *name, context.project_id()); !free) return failed(std::move(free).error());
  fleet::Group group;
  group.uuid = to_text(random_uuid());
  group.name = *name;
  group.policy = *policy;
  group.rules = std::move(*rules);
  group.project_id = context.project_id();
  group.user_id = context.user_id();
  fleet.put_group(group);
  outcome.reply = json::value(group_json(group, fleet));
  outcome.batch.push_back(stored(store::Kind::group, group.uuid, group));
  outcome.undo = [&fleet, uuid = group.uuid] { fleet.remove_group(uuid); };
  return outcome;
}

Outcome delete_group(State& state, const MethodCall& call) {
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  auto group = named_group(state, call);
  if (!group) return failed(std::move(group).error());
  fleet.remove_group(group->uuid);
  outcome.reply = json::value(json::object());
  outcome.batch.push_back(erased(store::Kind::group, group->uuid));
  outcome.undo = [&fleet, removed = *group] { fleet.put_group(removed); };
  return outcome;
}

std::optional<json::object> group_before(const State& state, const MethodCall& call) {
  const auto group = named_group(state, call);
  return group ? group_json(*group, state.parts.fleet) : json::object();
}

}  // namespace

std::vector<Method> group_methods() {
  using enum ArgumentType;
  const auto group =
      required("group", text, "Its uuid, or a name that only one group has, or only one of the context's project.",
               "web")
          .as(TextKind::known);
  constexpr std::string_view choices = "affinity|anti-affinity|soft-affinity|soft-anti-affinity";
  return {{.name = "list_groups",
           .group = "aggregates",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The server groups, by uuid.",
           .args = {optional("policy", text, "Only those of this policy.", "anti-affinity").one_of(choices),
                    optional("project_id", text, "Only this project's."), page_limit, page_marker},
           .result = "[Group]",
           .handle = list_groups},
          {.name = "show_group",
           .group = "aggregates",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "One server group.",
           .args = {group},
           .result = "Group",
           .handle = show_group},
          {.name = "create_group",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = services,
           .summary = "Makes a server group without members, of the project and user in the context.",
           .args = {required("name", text, "A name that no group of the project has.", "web"),
                    required("policy", text, "How members stand to each other.", "anti-affinity").one_of(choices),
                    optional("rules", object, "max_server_per_host, at least 1, with policy anti-affinity alone.",
                             R"({"max_server_per_host":2})")},
           .result = "Group",
           .handle = create_group,
           .subject = compute_topic,
           .audit = {"group.created", "group"}},
          {.name = "delete_group",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = services,
           .summary = "Deletes a server group; its members stay where they are.",
           .args = {group},
           .result = "Nothing",
           .handle = delete_group,
           .subject = compute_topic,
           .audit = {"group.deleted", "group", group_before}}};
}

}  // namespace gantry::scheduling
