// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/decision/withdrawal.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 3> states{"building", "active", "error"};

// Finds an instance by its uuid, or by a name that only one instance has.
Result<fleet::Instance> find_instance(const fleet::Fleet& fleet, const std::string& wanted) {
  if (auto instance = fleet.instance(wanted)) return *instance;
  auto named = fleet.instances({.name = wanted});
  if (named.size() == 1) return std::move(named.front());
  if (named.empty()) {
    return Error{ErrorCode::not_found, "no server '" + wanted + "'; `gantry server list` shows those there are", {}};
  }
  return Error{ErrorCode::failed_precondition,
               std::to_string(named.size()) + " servers are named '" + wanted + "'; name one by its uuid",
               {}};
}

Result<void> check_state(const std::string& vm_state) {
  if (std::ranges::find(states, vm_state) != states.end()) return {};
  return Error{ErrorCode::invalid_argument,
               "argument 'vm_state': expected building, active or error, found '" + vm_state + "'",
               {}};
}

Result<void> apply_report(const json::object& args, fleet::Instance& instance, std::int64_t now) {
  for (const auto& [name, into] : {std::pair{"task_state", &instance.task_state}, std::pair{"fault", &instance.fault},
                                   std::pair{"host", &instance.host}, std::pair{"node", &instance.node}}) {
    auto text = optional_text(args, name);
    if (!text) return std::move(text).error();
    if (*text) *into = **text;
  }
  auto vm_state = optional_text(args, "vm_state");
  if (!vm_state) return std::move(vm_state).error();
  if (!*vm_state) return {};
  if (auto known = check_state(**vm_state); !known) return known;
  if (**vm_state == "active" && instance.vm_state != "active") {
    instance.active_at = now;
    instance.fault.clear();
  }
  instance.vm_state = **vm_state;
  if (instance.vm_state != "building" && json::find(args, "task_state") == nullptr) instance.task_state.clear();
  return {};
}

// The changes of a report: {vm_state: {before, after}, ...}.
json::object changes_of(const fleet::Instance& before, const fleet::Instance& after) {
  json::object changes;
  for (const auto& [name, member] :
       {std::pair{"vm_state", &fleet::Instance::vm_state}, std::pair{"task_state", &fleet::Instance::task_state},
        std::pair{"host", &fleet::Instance::host}, std::pair{"node", &fleet::Instance::node}}) {
    if (before.*member != after.*member)
      changes[name] = json::object{{"before", before.*member}, {"after", after.*member}};
  }
  return changes;
}

// Empty if the report changed no member that events tell of.
std::vector<Event> events_of(const fleet::Instance& before, const fleet::Instance& after) {
  auto changes = changes_of(before, after);
  if (changes.empty()) return {};
  const bool failed_now = after.vm_state == "error" && before.vm_state != "error";
  Event event{failed_now ? "instance.error" : "instance.updated", "compute", after.host, after.uuid};
  event.more = {{"name", after.name}, {"changes", std::move(changes)}};
  if (failed_now) event.more["fault"] = after.fault;
  return {std::move(event)};
}

Outcome list_instances(State& state, const MethodCall& call) {
  fleet::InstanceQuery query;
  for (const auto& [name, into] : {std::pair{"host", &query.host}, std::pair{"project_id", &query.project_id},
                                   std::pair{"vm_state", &query.vm_state}, std::pair{"name", &query.name}}) {
    auto text = optional_text(call.args, name);
    if (!text) return failed(std::move(text).error());
    *into = std::move(*text);
  }
  if (query.vm_state)
    if (auto known = check_state(*query.vm_state); !known) return failed(std::move(known).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto instances = state.parts.fleet.instance_page(query, wish->marker, wish->limit);
  if (!instances) return failed(no_such_marker(*wish->marker));
  PageText page(wish->limit);
  for (auto instance = instances->begin(); instance != instances->end() && !page.is_full(); ++instance)
    page.add(shown(*instance, false));
  return std::move(page).outcome();
}

Outcome show_instance(State& state, const MethodCall& call) {
  auto name = required_text(call.args, "instance");
  if (!name) return failed(std::move(name).error());
  auto instance = find_instance(state.parts.fleet, *name);
  if (!instance) return failed(std::move(instance).error());
  Outcome outcome;
  outcome.reply = json::value(shown(*instance, true));
  return outcome;
}

// An instance that was built failed or became active on its host.
void note_build(State& state, const fleet::Instance& before, const fleet::Instance& after) {
  if (before.vm_state != "building" || before.host.empty()) return;
  if (after.vm_state == "error") state.build_failures.failed(before.host, kinds_of_build(before), after.updated_at);
  if (after.vm_state == "active") state.build_failures.succeeded(before.host, kinds_of_build(before));
}

Outcome update_instance(State& state, const MethodCall& call) {
  auto uuid = required_text(call.args, "uuid");
  if (!uuid) return failed(std::move(uuid).error());
  const auto now = now_nanoseconds();
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  const auto before = fleet.instance(*uuid);
  if (!before) return failed({ErrorCode::not_found, "no instance '" + *uuid + "'; it may have been deleted", {}});
  auto instance = *before;
  if (auto applied = apply_report(call.args, instance, now); !applied) return failed(std::move(applied).error());
  instance.updated_at = now;
  fleet.put_instance(instance);
  outcome.reply = json::value(shown(instance, false));
  outcome.batch.push_back(stored(store::Kind::instance, instance.uuid, instance));
  outcome.events = events_of(*before, instance);
  // An instance that failed to start needs no resources.
  if (instance.vm_state == "error" && before->vm_state != "error") fleet.release_claims(*uuid, outcome.claims);
  outcome.undo = [&fleet, before] { fleet.put_instance(*before); };
  outcome.committed = [&state, before = *before, after = instance] { note_build(state, before, after); };
  return outcome;
}

Outcome list_build_failures(State& state, const MethodCall& /*call*/) {
  json::array list;
  for (const auto& failed : state.build_failures.list(now_nanoseconds()))
    list.push_back(json::object{{"host", failed.host},
                                {"kind", failed.kind},
                                {"failures", failed.count},
                                {"since", time_json(failed.since)},
                                {"avoided", failed.is_avoided}});
  Outcome outcome;
  outcome.reply = json::value(std::move(list));
  return outcome;
}

Outcome clear_build_failures(State& state, const MethodCall& call) {
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  const auto cleared = state.build_failures.clear(*host);
  Outcome outcome;
  outcome.reply = json::value(json::object{{"cleared", static_cast<std::int64_t>(cleared)}});
  outcome.is_audited = true;
  return outcome;
}

Outcome delete_instance(State& state, const MethodCall& call) {
  auto name = required_text(call.args, "instance");
  if (!name) return failed(std::move(name).error());
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  auto instance = find_instance(fleet, *name);
  if (!instance) return failed(std::move(instance).error());
  outcome.reply = json::value(json::object());
  auto withdrawn = withdraw(state, instance->uuid, outcome);
  fleet.remove_instance(instance->uuid);
  outcome.batch.push_back(erased(store::Kind::instance, instance->uuid));
  outcome.events.push_back({"instance.deleted", "compute", instance->host, instance->uuid, {{"name", instance->name}}});
  auto left = leave_groups(state, instance->uuid, outcome);
  std::optional<Cast> cast;
  if (!instance->host.empty()) cast = termination(*instance, shown(*instance, false));
  if (cast) outcome.batch.push_back({store::Kind::cast, cast->id, json::write(to_json(*cast))});
  outcome.committed = [&state, cast, withdrawn = std::move(withdrawn)] {
    forget_casts(state, withdrawn);
    if (cast) state.casts.add(*cast);
  };
  outcome.undo = [&fleet, removed = *instance, left = std::move(left)] {
    left.undo(fleet);
    fleet.put_instance(removed);
  };
  return outcome;
}

Outcome release_claims(State& state, const MethodCall& call) {
  auto uuid = required_text(call.args, "instance_uuid");
  if (!uuid) return failed(std::move(uuid).error());
  auto outcome = changing(state);
  const auto released = state.parts.fleet.release_claims(*uuid, outcome.claims);
  outcome.reply = json::value(json::object{{"released", static_cast<std::int64_t>(released)}});
  return outcome;
}

Subject hosts_alone(const State& state, const MethodCall& call) {
  return {.hosts = topic_and_hosts(state, call).hosts};
}

// An agent may neither take an instance from another host nor give one to another host.
Subject reported_instance(const State& state, const MethodCall& call) {
  auto subject = compute_topic(state, call);
  subject.hosts = topic_and_hosts(state, call).hosts;
  const auto instance = state.parts.fleet.instance(text_argument(call, "uuid"));
  subject.hosts->push_back(instance ? instance->host : std::string());
  return subject;
}

// An instance without claims may be released by any caller: there is nothing to release.
Subject topic_of_claims(const State& state, const MethodCall& call) {
  auto topic = state.parts.fleet.topic_of_claims(text_argument(call, "instance_uuid"));
  const bool is_of_instances = topic == fleet::compute_topic;
  return {.topic = std::move(topic), .is_of_instances = is_of_instances};
}

std::optional<json::object> instance_before(const State& state, const MethodCall& call) {
  const auto instance = find_instance(state.parts.fleet, text_argument(call, "instance"));
  return instance ? shown(*instance, false) : json::object();
}

// A host reports of an instance that it has been given over the unix socket too, where it has no role.
std::optional<json::object> instance_before_report(const State& state, const MethodCall& call) {
  const auto instance = state.parts.fleet.instance(text_argument(call, "uuid"));
  if (instance && instance->vm_state == "building") return std::nullopt;
  return instance ? shown(*instance, false) : json::object();
}

}  // namespace

std::vector<Method> instance_methods() {
  using enum ArgumentType;
  const auto instance =
      required("instance", text, "Its uuid, or a name that no other has.", "web-1").as(TextKind::known);
  return {
      {.name = "list_instances",
       .group = "records",
       .effect = Effect::reads,
       .callers = every_role,
       .summary = "The instances, the oldest first.",
       .args = {optional("host", text, "Only those on this host.", "node1"),
                optional("project_id", text, "Only this project's.", "demo"),
                optional("vm_state", text, "Only those in this state.", "active").one_of("building|active|error"),
                optional("name", text, "Only those of this name."), page_limit, page_marker},
       .result = "[Instance]",
       .handle = list_instances,
       .subject = hosts_alone},
      {.name = "show_instance",
       .group = "records",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "One instance, with the decision that placed it.",
       .args = {instance},
       .result = "InstanceWithDecision",
       .handle = show_instance},
      {.name = "update_instance",
       .group = "reports",
       .effect = Effect::changes,
       .callers = services_and_agents,
       .summary = "What a host says of an instance; what is not given stays.",
       .args = {required("uuid", text, "The instance.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"),
                optional("vm_state", text, "An error gives back what the instance held.", "active")
                    .one_of("building|active|error"),
                optional("task_state", text, "What is being done with it; emptied by active and error."),
                optional("fault", text, "Why it is in error.").as(TextKind::sentence),
                optional("host", text, "Where it is."), optional("node", text, "The node of that host.")},
       .result = "Instance",
       .handle = update_instance,
       .subject = reported_instance,
       .audit = {"instance.updated", "instance", instance_before_report}},
      {.name = "delete_instance",
       .group = "records",
       .effect = Effect::changes,
       .callers = services,
       .summary = "Deletes an instance, casts terminate_instance to its host and releases its claims.",
       .args = {instance},
       .result = "Nothing",
       .handle = delete_instance,
       .subject = compute_topic,
       .audit = {"instance.deleted", "instance", instance_before}},
      {.name = "list_build_failures",
       .group = "records",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "The builds that hosts have failed within an hour, by flavor and image; a restart forgets them.",
       .args = {},
       .result = "[BuildFailures]",
       .handle = list_build_failures},
      {.name = "clear_build_failures",
       .group = "records",
       .effect = Effect::idempotent,
       .callers = admins,
       .summary = "Forgets the builds that a host has failed, so that it is avoided no longer.",
       .args = {required("host", text, "The host.", "node1")},
       .result = "Cleared",
       .handle = clear_build_failures,
       .audit = {"build_failures.cleared", "host"}},
      {.name = "release_claims",
       .group = "scheduling",
       .effect = Effect::changes,
       .callers = services,
       .summary = "Gives back what an instance's picks hold of hosts.",
       .args = {required("instance_uuid", text, "The consumer of the claims.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02")},
       .result = "Released",
       .handle = release_claims,
       .subject = topic_of_claims,
       .audit = {"claims.released", "claims"}}};
}

}  // namespace gantry::scheduling
