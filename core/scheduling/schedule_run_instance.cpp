// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/args.hpp"
#include "core/scheduling/instance_decision.hpp"
#include "core/scheduling/methods.hpp"

namespace gantry::scheduling {

namespace {

Result<InstanceRequest> read(const json::object& args) {
  auto spec_json = required_object(args, "request_spec");
  if (!spec_json) return std::move(spec_json).error();
  auto properties = optional_object(args, "filter_properties");
  if (!properties) return std::move(properties).error();
  auto spec = parse_request_spec(*spec_json, *properties, {});
  if (!spec) return std::move(spec).error();
  if (spec->instance_uuids.empty()) {
    for (std::uint32_t i = 0; i < spec->num_instances; ++i) spec->instance_uuids.push_back(to_text(random_uuid()));
  }
  InstanceRequest request;
  request.spec = std::move(*spec);
  request.operation = Operation::schedule_run_instance;
  request.mode = ClaimMode::durable;
  return request;
}

// An instance that is being rescheduled gives its earlier claims back; one that runs may not be started again.
Result<void> make_way(State& state, const RequestSpec& spec, store::Batch& batch) {
  for (const auto& uuid : spec.instance_uuids) {
    const auto known = state.parts.fleet.instance(uuid);
    if (known && known->vm_state == "active") {
      return Error{ErrorCode::failed_precondition,
                   "instance " + uuid + " is active on " + known->host + "; delete it before it is scheduled again",
                   {}};
    }
  }
  for (const auto& uuid : spec.instance_uuids) {
    for (const auto& claim : state.parts.fleet.release_all(uuid))
      batch.push_back(erased(store::Kind::claim, key_of(claim)));
  }
  return {};
}

// Members join before the decision, so that requests at the same time see each other's.
void join_group(State& state, const RequestSpec& spec, store::Batch& batch) {
  const auto* hint = spec.hint("group");
  if (hint == nullptr || hint->values.empty()) return;
  auto group = state.parts.fleet.group(hint->values.front());
  if (!group) return;
  for (const auto& uuid : spec.instance_uuids) {
    if (std::find(group->members.begin(), group->members.end(), uuid) == group->members.end()) {
      group->members.push_back(uuid);
    }
  }
  state.parts.fleet.put_group(*group);
  batch.push_back(stored(store::Kind::group, group->uuid, *group));
}

json::object kept_flavor(const RequestSpec& spec) {
  json::object flavor{{"name", spec.flavor}};
  const auto set = [&flavor](std::string_view key, const std::optional<std::int64_t>& value) {
    if (value) flavor[key] = *value;
  };
  set("vcpus", spec.vcpus);
  set("memory_mb", spec.memory_mb);
  set("root_gb", spec.root_gb);
  set("ephemeral_gb", spec.ephemeral_gb);
  set("swap", spec.swap_mb);
  return flavor;
}

fleet::Instance new_instance(const InstanceRequest& request, std::size_t index, const Call& call,
                             const Decided& decided) {
  const auto& spec = request.spec;
  fleet::Instance instance;
  instance.uuid = spec.instance_uuids[index];
  instance.launch_index = static_cast<std::int64_t>(index);
  instance.project_id = spec.project_id.empty() ? decided.driver_call.context.project_id() : spec.project_id;
  instance.user_id = spec.user_id.empty() ? decided.driver_call.context.user_id() : spec.user_id;
  instance.availability_zone = spec.availability_zone;
  instance.flavor = kept_flavor(spec);
  instance.request_id = call.request_id;
  instance.created_at = decided.driver_call.now;
  instance.updated_at = decided.driver_call.now;
  if (const auto* properties = json::find_object(spec.plain, "instance_properties")) {
    instance.name = json::find_string(*properties, "display_name").value_or("");
  }
  if (!instance.name.empty() && spec.num_instances > 1) instance.name += "-" + std::to_string(index + 1);
  if (const auto* image = json::find_object(spec.plain, "image")) {
    instance.image = json::find_string(*image, "name").value_or(json::find_string(*image, "id").value_or(""));
  }
  return instance;
}

// The run_instance message of Nova's older interface.
Cast run_instance_cast(const InstanceRequest& request, const fleet::Instance& instance, const Choice& choice,
                       const Call& call, std::int64_t now) {
  json::object properties = request.spec.filter_properties;
  properties["limits"] = choice.limits;
  json::object shown_instance = shown(instance, false);
  Cast cast;
  cast.id = to_text(random_uuid());
  cast.topic = "compute";
  cast.host = instance.host;
  cast.node = instance.node;
  cast.method = "run_instance";
  cast.consumer = instance.uuid;
  cast.created_at = now;
  cast.args = {{"instance_uuid", instance.uuid},
               {"instance", std::move(shown_instance)},
               {"request_spec", request.spec.plain},
               {"filter_properties", std::move(properties)},
               {"node", instance.node.empty() ? json::value(nullptr) : json::value(instance.node)},
               {"request_id", call.request_id}};
  for (const auto* key :
       {"requested_networks", "admin_password", "injected_files", "is_first_time", "legacy_bdm_in_spec"}) {
    if (const auto* value = json::find(call.args, key)) cast.args.emplace(key, *value);
  }
  return cast;
}

void place(const Decided& decided, const Decision::Placement& placement, fleet::Instance& instance) {
  const auto name = decided.driver_call.moment.row_name(*decided.driver_call.view, placement.pick->row);
  instance.host = name.host;
  instance.node = name.node;
  instance.vm_state = "building";
  instance.task_state = "spawning";
}

void fail(const Decided& decided, const Decision::Placement& placement, fleet::Instance& instance) {
  const auto& reason = placement.refusal.empty() ? decided.reason : placement.refusal;
  instance.vm_state = "error";
  instance.fault = reason.empty() ? "No valid host was found." : "No valid host was found. " + reason;
}

}  // namespace

Outcome schedule_run_instance(State& state, const Call& call) {
  auto request = read(call.args);
  if (!request) return failed(std::move(request).error());
  Outcome outcome;
  {
    const std::lock_guard lock(state.changes);
    if (auto ready = make_way(state, request->spec, outcome.batch); !ready) return failed(std::move(ready).error());
    join_group(state, request->spec, outcome.batch);
  }
  auto decided = decide(state, call, *request);
  if (!decided) {
    auto failure = failed(std::move(decided).error());
    failure.batch = std::move(outcome.batch);
    return failure;
  }

  auto& fleet = state.parts.fleet;
  const auto record = (*decided)->record(*request, call);
  std::vector<Cast> casts;
  std::vector<fleet::Claim> claims;
  std::vector<std::string> uuids;
  json::array instances;
  for (std::size_t i = 0; i < request->spec.num_instances; ++i) {
    const auto& placement = (*decided)->sink->placements()[i];
    auto instance = new_instance(*request, i, call, **decided);
    instance.decision = record;
    if (placement.pick) {
      place(**decided, placement, instance);
      claims.push_back(*placement.claim);
      outcome.batch.push_back(stored(store::Kind::claim, key_of(*placement.claim), *placement.claim));
      casts.push_back(run_instance_cast(*request, instance, *placement.pick, call, (*decided)->driver_call.now));
      outcome.batch.push_back({store::Kind::cast, casts.back().id, json::write(to_json(casts.back()))});
    } else {
      fail(**decided, placement, instance);
    }
    outcome.batch.push_back(stored(store::Kind::instance, instance.uuid, instance));
    uuids.push_back(instance.uuid);
    instances.push_back(shown(instance, false));
    fleet.put_instance(instance);
  }
  outcome.reply = json::value(json::object{{"instances", std::move(instances)}});
  outcome.committed = [&state, casts = std::move(casts)]() mutable {
    for (auto& cast : casts) state.casts.add(std::move(cast));
  };
  outcome.undo = [&fleet, claims = std::move(claims), uuids = std::move(uuids)] {
    for (const auto& claim : claims) fleet.release(claim.consumer, claim.topic, claim.host, claim.node);
    for (const auto& uuid : uuids) fleet.remove_instance(uuid);
  };
  return outcome;
}

}  // namespace gantry::scheduling
