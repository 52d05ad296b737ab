// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_set>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/methods/aggregate_guards.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Result<fleet::Aggregate> find_aggregate(const fleet::Fleet& fleet, const json::object& args) {
  const auto* found = json::find(args, "aggregate");
  const bool is_text = found != nullptr && found->is_string();
  if (!is_text && !json::find_integer(args, "aggregate")) {
    return Error{ErrorCode::invalid_argument, "argument 'aggregate': expected an id or a name", {}};
  }
  const auto text = is_text ? std::string(std::string_view(found->get_string()))
                            : std::to_string(*json::find_integer(args, "aggregate"));
  std::int64_t id = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), id);
  if (end.ec == std::errc() && end.ptr == text.data() + text.size()) {
    if (auto aggregate = fleet.aggregate(id)) return *aggregate;
  }
  for (const auto named : fleet.aggregate_ids(text))
    if (auto aggregate = fleet.aggregate(named)) return *aggregate;
  return Error{ErrorCode::not_found, "no aggregate '" + text + "'; `gantry aggregate list` shows those there are", {}};
}

Result<void> check_name(const fleet::Fleet& fleet, const std::string& name, std::int64_t its_id) {
  const auto ids = fleet.aggregate_ids(name);
  if (std::ranges::all_of(ids, [its_id](std::int64_t id) { return id == its_id; })) return {};
  return Error{ErrorCode::already_exists, "there is an aggregate '" + name + "' already", {}};
}

json::object aggregate_json(const fleet::Aggregate& aggregate) {
  json::object metadata;
  for (const auto& [key, value] : aggregate.metadata) metadata[key] = value;
  const auto zone = aggregate.metadata.find("availability_zone");
  return {{"id", aggregate.id},
          {"uuid", aggregate.uuid},
          {"name", aggregate.name},
          {"availability_zone", zone == aggregate.metadata.end() ? json::value(nullptr) : json::value(zone->second)},
          {"hosts", json::array(aggregate.hosts.begin(), aggregate.hosts.end())},
          {"metadata", std::move(metadata)}};
}

Outcome put(State& state, const fleet::Aggregate& aggregate, Outcome outcome) {
  auto& fleet = state.parts.fleet;
  const auto before = fleet.put_aggregate(aggregate);
  outcome.reply = json::value(aggregate_json(aggregate));
  outcome.batch.push_back(stored(store::Kind::aggregate, std::to_string(aggregate.id), aggregate));
  outcome.undo = [&fleet, before, id = aggregate.id] {
    if (before)
      fleet.put_aggregate(*before);
    else
      fleet.remove_aggregate(id);
  };
  return outcome;
}

// `change` gets the aggregate and whether the call is forced, and returns which hosts come and go.
template <class Change>
Outcome change_aggregate(State& state, const MethodCall& call, Change change) {
  auto force = optional_bool(call.args, "force", false);
  if (!force) return failed(std::move(force).error());
  auto outcome = changing(state);
  const auto& fleet = state.parts.fleet;
  const auto before = find_aggregate(fleet, call.args);
  if (!before) return failed(before.error());
  auto after = *before;
  Result<HostChange> changed = change(after, *force);
  if (!changed) return failed(std::move(changed).error());
  if (auto checked = *force ? Result<void>() : check_zones_kept(fleet, *changed, *before, after); !checked)
    return failed(std::move(checked).error());
  outcome.list_changes.push_back({"hosts", std::move(changed->added), std::move(changed->removed)});
  return put(state, after, std::move(outcome));
}

// Values are texts, as in Nova. Null removes a key.
Result<void> merge_metadata(fleet::Aggregate& aggregate, const json::object& metadata) {
  for (const auto& member : metadata) {
    const std::string key(member.key());
    if (member.value().is_null()) {
      aggregate.metadata.erase(key);
    } else if (member.value().is_string()) {
      aggregate.metadata[key] = std::string_view(member.value().get_string());
    } else {
      return wrong_type("metadata." + key, "text or null", member.value());
    }
  }
  return {};
}

Outcome list_aggregates(State& state, const MethodCall& call) {
  auto filters = read_filters(call.args, {"host"});
  if (!filters) return failed(std::move(filters).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto host = filters->wanted("host");
  const auto of_host = host ? state.parts.fleet.aggregates_of(*host) : std::vector<std::int64_t>();
  return page_of(
      *wish, state.parts.fleet.aggregates(), [](const auto& aggregate) { return std::to_string(aggregate.id); },
      [&](const auto& aggregate) { return !host || std::ranges::binary_search(of_host, aggregate.id); },
      [](const auto& aggregate) { return aggregate_json(aggregate); });
}

Outcome show_aggregate(State& state, const MethodCall& call) {
  auto aggregate = find_aggregate(state.parts.fleet, call.args);
  if (!aggregate) return failed(std::move(aggregate).error());
  Outcome outcome;
  outcome.reply = json::value(aggregate_json(*aggregate));
  return outcome;
}

Outcome create_aggregate(State& state, const MethodCall& call) {
  auto name = required_text(call.args, "name");
  if (!name) return failed(std::move(name).error());
  auto zone = optional_text(call.args, "availability_zone");
  if (!zone) return failed(std::move(zone).error());
  auto metadata = optional_object(call.args, "metadata");
  if (!metadata) return failed(std::move(metadata).error());
  auto outcome = changing(state);
  if (auto room = state.parts.fleet.check_room_for_aggregates(1); !room) return failed(std::move(room).error());
  if (auto free = check_name(state.parts.fleet, *name, 0); !free) return failed(std::move(free).error());
  fleet::Aggregate aggregate;
  if (auto merged = merge_metadata(aggregate, *metadata); !merged) return failed(std::move(merged).error());
  if (*zone) aggregate.metadata["availability_zone"] = **zone;
  aggregate.id = state.next_aggregate_id++;
  aggregate.uuid = to_text(random_uuid());
  aggregate.name = *name;
  return put(state, aggregate, std::move(outcome));
}

Outcome update_aggregate(State& state, const MethodCall& call) {
  auto metadata = optional_object(call.args, "metadata");
  if (!metadata) return failed(std::move(metadata).error());
  auto name = optional_text(call.args, "name");
  if (!name) return failed(std::move(name).error());
  return change_aggregate(state, call, [&](fleet::Aggregate& aggregate, bool /*force*/) -> Result<HostChange> {
    if (*name && !(*name)->empty() && **name != aggregate.name) {
      if (auto free = check_name(state.parts.fleet, **name, aggregate.id); !free) return std::move(free).error();
      aggregate.name = **name;
    }
    if (auto merged = merge_metadata(aggregate, *metadata); !merged) return std::move(merged).error();
    if (auto checked = check_one_zone(state.parts.fleet, aggregate, aggregate.hosts); !checked)
      return std::move(checked).error();
    return HostChange{};
  });
}

Outcome delete_aggregate(State& state, const MethodCall& call) {
  auto& fleet = state.parts.fleet;
  auto force = optional_bool(call.args, "force", false);
  if (!force) return failed(std::move(force).error());
  auto outcome = changing(state);
  auto aggregate = find_aggregate(fleet, call.args);
  if (!aggregate) return failed(std::move(aggregate).error());
  if (auto checked = *force ? Result<void>() : check_no_hosts(*aggregate); !checked)
    return failed(std::move(checked).error());
  fleet.remove_aggregate(aggregate->id);
  outcome.reply = json::value(json::object());
  outcome.batch.push_back(erased(store::Kind::aggregate, std::to_string(aggregate->id)));
  outcome.undo = [&fleet, removed = *aggregate] { fleet.put_aggregate(removed); };
  return outcome;
}

// The hosts that a call names, each once.
Result<std::vector<std::string>> read_hosts(const json::object& args) {
  auto host = optional_text(args, "host");
  if (!host) return std::move(host).error();
  auto hosts = optional_texts(args, "hosts");
  if (!hosts) return std::move(hosts).error();
  if (host->has_value() != hosts->empty())
    return Error{
        ErrorCode::invalid_argument, "expected either argument 'host' or a list 'hosts', found both or neither", {}};
  if (*host) hosts->push_back(**host);
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> once;
  for (const auto& name : *hosts) {
    if (name.empty()) return Error{ErrorCode::invalid_argument, "argument 'hosts': a host's name is empty", {}};
    if (seen.insert(name).second) once.push_back(name);
  }
  return once;
}

Outcome add_aggregate_host(State& state, const MethodCall& call) {
  auto hosts = read_hosts(call.args);
  if (!hosts) return failed(std::move(hosts).error());
  return change_aggregate(state, call, [&](fleet::Aggregate& aggregate, bool force) -> Result<HostChange> {
    const std::unordered_set<std::string_view> had(aggregate.hosts.begin(), aggregate.hosts.end());
    HostChange change;
    for (auto& host : *hosts)
      if (!had.contains(host)) change.added.push_back(std::move(host));
    if (auto known = force ? Result<void>() : check_hosts_known(state.parts.fleet, change.added); !known)
      return std::move(known).error();
    if (auto checked = check_one_zone(state.parts.fleet, aggregate, change.added); !checked)
      return std::move(checked).error();
    aggregate.hosts.insert(aggregate.hosts.end(), change.added.begin(), change.added.end());
    return change;
  });
}

Outcome remove_aggregate_host(State& state, const MethodCall& call) {
  auto hosts = read_hosts(call.args);
  if (!hosts) return failed(std::move(hosts).error());
  return change_aggregate(state, call, [&](fleet::Aggregate& aggregate, bool /*force*/) -> Result<HostChange> {
    const std::unordered_set<std::string_view> had(aggregate.hosts.begin(), aggregate.hosts.end());
    for (const auto& host : *hosts) {
      if (had.contains(host)) continue;
      return Error{ErrorCode::not_found, "host '" + host + "' is not in aggregate '" + aggregate.name + "'", {}};
    }
    const std::unordered_set<std::string_view> gone(hosts->begin(), hosts->end());
    std::erase_if(aggregate.hosts, [&](const std::string& host) { return gone.contains(host); });
    return HostChange{{}, std::move(*hosts)};
  });
}

std::optional<json::object> aggregate_before(const State& state, const MethodCall& call) {
  const auto aggregate = find_aggregate(state.parts.fleet, call.args);
  return aggregate ? aggregate_json(*aggregate) : json::object();
}

// The call tells by itself which hosts come and go.
std::optional<json::object> aggregate_before_without_hosts(const State& state, const MethodCall& call) {
  auto aggregate = find_aggregate(state.parts.fleet, call.args);
  if (!aggregate) return json::object();
  aggregate->hosts.clear();
  return aggregate_json(*aggregate);
}

}  // namespace

std::vector<Method> aggregate_methods() {
  using enum ArgumentType;
  const auto aggregate = required("aggregate", id_or_name, "Its id or name.", R"("ssd")").as(TextKind::known);
  const auto force = [](std::string_view meaning) { return optional("force", truth, meaning).otherwise("false"); };
  const auto force_zone = force("Also if hosts with instances go to another availability zone.");
  return {{.name = "list_aggregates",
           .group = "aggregates",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The aggregates, by id.",
           .args = {optional("host", text, "Only those that this host is in.", "node1"), page_limit, page_marker},
           .result = "[Aggregate]",
           .handle = list_aggregates},
          {.name = "show_aggregate",
           .group = "aggregates",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "One aggregate.",
           .args = {aggregate},
           .result = "Aggregate",
           .handle = show_aggregate},
          {.name = "create_aggregate",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Makes an aggregate without hosts.",
           .args = {required("name", text, "A name that no aggregate has.", "ssd"),
                    optional("availability_zone", text, "Kept as metadata too.", "nova"),
                    optional("metadata", object, "Texts by key.", R"({"disk":"ssd"})")},
           .result = "Aggregate",
           .handle = create_aggregate,
           .audit = {"aggregate.created", "aggregate"}},
          {.name = "update_aggregate",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Changes an aggregate's metadata or name.",
           .args = {aggregate,
                    optional("metadata", object, "Texts by key, merged with those there are; null removes one.",
                             R"({"disk":null,"speed":"high"})"),
                    optional("name", text, "Its new name."), force_zone},
           .result = "Aggregate",
           .handle = update_aggregate,
           .audit = {"aggregate.updated", "aggregate", aggregate_before_without_hosts}},
          {.name = "delete_aggregate",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Deletes an aggregate that has no hosts.",
           .args = {aggregate, force("Also if it has hosts.")},
           .result = "Nothing",
           .handle = delete_aggregate,
           .audit = {"aggregate.deleted", "aggregate", aggregate_before}},
          {.name = "add_aggregate_host",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Puts hosts into an aggregate, all or none; a host is in one availability zone at most.",
           .args = {aggregate, optional("host", text, "The host, of topic compute; this or hosts.", "node1"),
                    optional("hosts", texts, "Hosts of topic compute, 10,000 at most."),
                    force("Also if no such host is known, or if its instances go to another availability zone.")},
           .result = "Aggregate",
           .handle = add_aggregate_host,
           .audit = {"aggregate.updated", "aggregate", aggregate_before_without_hosts}},
          {.name = "remove_aggregate_host",
           .group = "aggregates",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Takes hosts out of an aggregate, all or none.",
           .args = {aggregate, optional("host", text, "The host; this or hosts.", "node1").as(TextKind::known),
                    optional("hosts", texts, "The hosts, 10,000 at most.").as(TextKind::known), force_zone},
           .result = "Aggregate",
           .handle = remove_aggregate_host,
           .audit = {"aggregate.updated", "aggregate", aggregate_before_without_hosts}}};
}

}  // namespace gantry::scheduling
