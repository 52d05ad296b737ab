// SPDX-License-Identifier: Apache-2.0
//
// The updates that Nova's compute nodes and API send to a scheduler: aggregates, and the instances of a host. They have
// the names and arguments of Nova's scheduler RPC API. delete_aggregate is a method of aggregates.cpp.
#include <algorithm>
#include <set>

#include "core/encoding/uuid.hpp"
#include "core/fleet/tables/report_fields.hpp"
#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/decision/withdrawal.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/nova_object.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// Returns the objects in an argument that is one of Nova's objects, a list of them, or the same as dictionaries.
Result<json::array> objects_in(const json::object& args, std::string_view name) {
  const auto* given = json::find(args, name);
  if (given == nullptr) return wrong_type(name, "one of Nova's objects or a list of them", json::value(nullptr));
  json::value opened = *given;
  open_envelopes(opened);
  auto objects = opened.is_array() ? std::move(opened.get_array()) : json::array{std::move(opened)};
  for (const auto& object : objects) {
    if (!object.is_object()) return wrong_type(name, "one of Nova's objects or a list of them", object);
  }
  return objects;
}

// Checks the texts and the flavor's numbers of an object that the service keeps.
Result<void> check_kept(std::string_view argument, const json::object& object,
                        std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) {
    const auto* value = json::find(object, key);
    if (value == nullptr) continue;
    const auto expected = fleet::expected_of_flavor(key, *value);
    const auto fault = value->is_string() ? fault_of(TextKind::name, value->get_string())
                       : expected.empty() ? std::string()
                                          : "expected " + std::string(expected) + ", found " + value_text(*value);
    if (!fault.empty()) {
      return Error{ErrorCode::invalid_argument,
                   "argument '" + std::string(argument) + "': " + std::string(key) + ": " + fault,
                   {}};
    }
  }
  return {};
}

std::string field(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

Error lacks(std::string_view argument, std::string_view expected) {
  return {ErrorCode::invalid_argument,
          "argument '" + std::string(argument) + "': expected objects with " + std::string(expected) +
              ", found one without",
          {}};
}

Result<fleet::Aggregate> read_aggregate(const json::object& object) {
  fleet::Aggregate aggregate;
  aggregate.id = json::find_integer(object, "id").value_or(0);
  aggregate.uuid = field(object, "uuid");
  aggregate.name = field(object, "name");
  if (aggregate.id <= 0 || aggregate.name.empty()) return lacks("aggregates", "a positive id and a name");
  if (auto checked = check_kept("aggregates", object, {"uuid", "name"}); !checked) return std::move(checked).error();
  if (const auto* hosts = json::find_array(object, "hosts")) {
    for (const auto& host : *hosts) {
      if (const auto* named = host.if_string()) aggregate.hosts.emplace_back(named->data(), named->size());
    }
  }
  if (const auto* metadata = json::find_object(object, "metadata")) {
    for (const auto& [key, value] : *metadata) aggregate.metadata[key] = field(*metadata, key);
  }
  return aggregate;
}

Outcome update_aggregates(State& state, const MethodCall& call) {
  auto objects = objects_in(call.args, "aggregates");
  if (!objects) return failed(std::move(objects).error());
  std::vector<fleet::Aggregate> aggregates;
  for (const auto& object : *objects) {
    auto aggregate = read_aggregate(object.get_object());
    if (!aggregate) return failed(std::move(aggregate).error());
    aggregates.push_back(*std::move(aggregate));
  }
  auto outcome = changing(state);
  auto& fleet = state.parts.fleet;
  const auto news = std::ranges::count_if(aggregates, [&](const auto& each) { return !fleet.aggregate(each.id); });
  if (auto room = fleet.check_room_for_aggregates(static_cast<std::size_t>(news)); !room)
    return failed(std::move(room).error());
  std::vector<std::pair<std::int64_t, std::optional<fleet::Aggregate>>> before;
  for (const auto& aggregate : aggregates) {
    before.emplace_back(aggregate.id, fleet.put_aggregate(aggregate));
    if (state.next_aggregate_id <= aggregate.id) state.next_aggregate_id = aggregate.id + 1;
    outcome.batch.push_back(stored(store::Kind::aggregate, std::to_string(aggregate.id), aggregate));
  }
  outcome.reply = json::value(json::object());
  outcome.undo = [&fleet, before = std::move(before)] {
    std::for_each(before.rbegin(), before.rend(), [&fleet](const auto& each) {
      if (each.second)
        fleet.put_aggregate(*each.second);
      else
        fleet.remove_aggregate(each.first);
    });
  };
  return outcome;
}

Result<void> check_instance(const json::object& object) {
  auto checked = check_kept("instance_info", object,
                            {"display_name", "project_id", "user_id", "node", "availability_zone", "vm_state",
                             "task_state", "vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"});
  const auto* flavor = json::find_object(object, "flavor");
  if (checked && flavor != nullptr)
    checked = check_kept("instance_info", *flavor, {"name", "vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"});
  return checked;
}

// Sets the fields of `instance` that the object has.
void apply(const json::object& object, fleet::Instance& instance) {
  for (const auto& [key, into] :
       {std::pair{"display_name", &instance.name}, std::pair{"project_id", &instance.project_id},
        std::pair{"user_id", &instance.user_id}, std::pair{"node", &instance.node},
        std::pair{"availability_zone", &instance.availability_zone}, std::pair{"vm_state", &instance.vm_state},
        std::pair{"task_state", &instance.task_state}}) {
    if (json::find(object, key) != nullptr) *into = field(object, key);
  }
  const auto* flavor = json::find_object(object, "flavor");
  for (const auto* key : {"name", "vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"}) {
    const auto* value = flavor != nullptr                 ? json::find(*flavor, key)
                        : std::string_view(key) == "name" ? nullptr
                                                          : json::find(object, key);
    if (value != nullptr && !value->is_null()) instance.flavor[key] = *value;
  }
}

Outcome update_instance_info(State& state, const MethodCall& call) {
  auto host = required_text(call.args, "host_name");
  if (!host) return failed(std::move(host).error());
  auto objects = objects_in(call.args, "instance_info");
  if (!objects) return failed(std::move(objects).error());
  const auto now = now_nanoseconds();
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  if (auto room = fleet.check_room_for_instances(objects->size()); !room) return failed(std::move(room).error());
  std::vector<fleet::Instance> instances;
  for (const auto& object : *objects) {
    const auto uuid = parse_uuid(field(object.get_object(), "uuid"));
    if (!uuid) return failed(lacks("instance_info", "a uuid"));
    if (auto checked = check_instance(object.get_object()); !checked) return failed(std::move(checked).error());
    auto instance = fleet.instance(to_text(*uuid)).value_or(fleet::Instance());
    if (instance.uuid.empty()) {
      instance.uuid = to_text(*uuid);
      instance.created_at = now;
    }
    apply(object.get_object(), instance);
    instance.host = *host;
    instance.updated_at = now;
    if (instance.vm_state == "active" && instance.active_at == 0) instance.active_at = now;
    instances.push_back(std::move(instance));
  }
  std::vector<std::pair<std::string, std::optional<fleet::Instance>>> before;
  ChangedGroups left;
  for (const auto& instance : instances) {
    before.emplace_back(instance.uuid, fleet.put_instance(instance));
    outcome.batch.push_back(stored(store::Kind::instance, instance.uuid, instance));
    if (instance.vm_state == "deleted") left.add(leave_groups(state, instance.uuid, outcome));
  }
  outcome.reply = json::value(json::object());
  outcome.undo = [&fleet, before = std::move(before), left = std::move(left)] {
    left.undo(fleet);
    std::for_each(before.rbegin(), before.rend(), [&fleet](const auto& each) {
      if (each.second)
        fleet.put_instance(*each.second);
      else
        fleet.remove_instance(each.first);
    });
  };
  return outcome;
}

// Removes the instances, as their host says that they are gone. No cast is sent to the host.
void remove(State& state, std::vector<fleet::Instance> instances, Outcome& outcome) {
  auto& fleet = state.parts.fleet;
  std::vector<std::string> casts;
  ChangedGroups left;
  for (const auto& instance : instances) {
    std::ranges::move(withdraw(state, instance.uuid, outcome), std::back_inserter(casts));
    fleet.remove_instance(instance.uuid);
    outcome.batch.push_back(erased(store::Kind::instance, instance.uuid));
    outcome.events.push_back({"instance.deleted", "compute", instance.host, instance.uuid, {{"name", instance.name}}});
    left.add(leave_groups(state, instance.uuid, outcome));
  }
  outcome.committed = [&state, casts = std::move(casts)] { forget_casts(state, casts); };
  outcome.undo = [&fleet, removed = std::move(instances), left = std::move(left)] {
    left.undo(fleet);
    for (const auto& instance : removed) fleet.put_instance(instance);
  };
}

Outcome delete_instance_info(State& state, const MethodCall& call) {
  auto host = required_text(call.args, "host_name");
  if (!host) return failed(std::move(host).error());
  auto uuid = required_text(call.args, "instance_uuid");
  if (!uuid) return failed(std::move(uuid).error());
  auto outcome = changing(state);
  outcome.reply = json::value(json::object());
  const auto instance = state.parts.fleet.instance(*uuid);
  // After a move the former host says that the instance is gone; the instance's claims are of its new host then.
  if (instance && instance->host == *host) remove(state, {*instance}, outcome);
  if (!instance) state.parts.fleet.release_claims(*uuid, outcome.claims);
  return outcome;
}

Outcome sync_instance_info(State& state, const MethodCall& call) {
  auto host = required_text(call.args, "host_name");
  if (!host) return failed(std::move(host).error());
  auto uuids = optional_texts(call.args, "instance_uuids");
  if (!uuids) return failed(std::move(uuids).error());
  const std::set<std::string> there(uuids->begin(), uuids->end());
  auto outcome = changing(state);
  std::vector<fleet::Instance> gone;
  auto unknown = there;
  for (const auto& instance : state.parts.fleet.instances({.host = *host})) {
    unknown.erase(instance.uuid);
    // An instance that is being started is not there yet.
    if (instance.vm_state != "building" && !there.contains(instance.uuid)) gone.push_back(instance);
  }
  outcome.reply =
      json::value(json::object{{"removed", gone.size()}, {"unknown", json::array(unknown.begin(), unknown.end())}});
  remove(state, std::move(gone), outcome);
  return outcome;
}

}  // namespace

std::vector<Method> nova_update_methods() {
  using enum ArgumentType;
  const auto host = required("host_name", text, "The host that says so.", "node71");
  const auto row = [](std::string_view name, std::string_view summary, std::vector<Argument> args,
                      std::string_view result, Handler handle) {
    return Method{.name = name,
                  .group = "reports",
                  .effect = Effect::idempotent,
                  .callers = services,
                  .summary = summary,
                  .args = std::move(args),
                  .result = result,
                  .handle = handle,
                  .subject = compute_topic};
  };
  return {row("update_aggregates", "Puts aggregates as Nova's API tells them, with their hosts and metadata.",
              {required("aggregates", any, "An Aggregate, an AggregateList, or the same as dictionaries.",
                        R"([{"id":71,"name":"rack71","hosts":["node1"],"metadata":{"rack":"71"}}])")},
              "Nothing", update_aggregates),
          row("update_instance_info", "Puts instances as their host tells them.",
              {host, required("instance_info", any, "An Instance, an InstanceList, or the same as dictionaries.",
                              R"([{"uuid":"6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a71","vm_state":"active"}])")},
              "Nothing", update_instance_info),
          row("delete_instance_info", "Removes an instance that its host has deleted, and releases its claims.",
              {host, required("instance_uuid", text, "The instance.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a71")},
              "Nothing", delete_instance_info),
          row("sync_instance_info",
              "Removes the instances of a host that the host does not have any more; building ones stay.",
              {host, optional("instance_uuids", texts, "All instances on the host.",
                              R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a71"])")},
              "InstanceSync", sync_instance_info)};
}

}  // namespace gantry::scheduling
