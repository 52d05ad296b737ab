// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/fleet/tables/schema.hpp"
#include "core/scheduling/decision/avoidance.hpp"
#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/decision/instance_decision.hpp"
#include "core/scheduling/decision/launchable.hpp"
#include "core/scheduling/decision/withdrawal.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/cast_room.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Result<InstanceRequest> read(const json::object& args) {
  const auto* spec_json = json::find(args, "request_spec");
  if (spec_json == nullptr || !spec_json->is_object()) return required_object(args, "request_spec").error();
  auto properties = optional_object(args, "filter_properties");
  if (!properties) return std::move(properties).error();
  auto spec = parse_request_spec(*spec_json, *properties, {});
  if (!spec) return std::move(spec).error();
  if (spec->instance_uuids.empty()) {
    for (std::uint32_t i = 0; i < spec->num_instances; ++i) spec->instance_uuids.push_back(to_text(random_uuid()));
  }
  return InstanceRequest{
      .spec = std::move(*spec), .operation = Operation::schedule_run_instance, .mode = ClaimMode::durable};
}

// Each instance's cast carries the request, with the instance's own uuid in place of all of them.
Result<void> check_size(const InstanceRequest& request, const json::object& args) {
  constexpr std::size_t most_bytes = 64 << 20;
  if (request.spec.num_instances < 2) return {};
  auto bytes = json::write(args).size();
  if (const auto* uuids = json::find(request.spec.plain, "instance_uuids")) bytes -= json::write(*uuids).size();
  if (bytes <= most_bytes / request.spec.num_instances) return {};
  return Error{ErrorCode::resource_exhausted,
               "a request of " + std::to_string(bytes) + " bytes for " + std::to_string(request.spec.num_instances) +
                   " instances: each carries the request, and all may hold " + std::to_string(most_bytes) +
                   " bytes; ask for fewer at a time",
               {}};
}

// Failed instances that stay and casts that stay unfetched are bounded in number.
Result<void> check_room(const State& state, const RequestSpec& spec) {
  if (auto room = state.parts.fleet.check_room_for_instances(spec.num_instances); !room) return room;
  return check_cast_room(state);
}

// Two requests may not place one instance at the same time.
class Reservation {
 public:
  explicit Reservation(State& state) : state_(state) {}
  ~Reservation() {
    const std::lock_guard lock(state_.placing_mutex);
    for (const auto& uuid : held_) state_.placing.erase(uuid);
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  Result<void> take(const std::vector<std::string>& uuids) {
    const std::lock_guard lock(state_.placing_mutex);
    for (const auto& uuid : uuids) {
      if (!state_.placing.insert(uuid).second) {
        return Error{ErrorCode::failed_precondition, "instance " + uuid + " is being scheduled by another request", {}};
      }
      held_.push_back(uuid);
    }
    return {};
  }

 private:
  State& state_;
  std::vector<std::string> held_;
};

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

// Returns the properties that are as small as those that Nova keeps.
json::object kept_properties(const json::object& image) {
  constexpr std::size_t most_bytes = 255;
  constexpr std::size_t most_properties = 128;  // as many as an image of Glance may have
  json::object kept;
  const auto* properties = json::find_object(image, "properties");
  if (properties == nullptr) return kept;
  for (const auto& [name, value] : *properties) {
    if (kept.size() == most_properties) break;
    if (name.size() <= most_bytes && json::write(value).size() <= most_bytes) kept.emplace(name, value);
  }
  return kept;
}

fleet::Instance new_instance(const InstanceRequest& request, std::size_t index, const MethodCall& call,
                             const InstanceDecision& decision) {
  const auto& spec = request.spec;
  const auto& pinned = decision.pinned;
  const bool counts_images = pinned.moment.column(*pinned.view, fleet::image_properties_column) != nullptr;
  fleet::Instance instance;
  instance.uuid = spec.instance_uuids[index];
  instance.launch_index = static_cast<std::int64_t>(index);
  instance.project_id = spec.project_id.empty() ? decision.pinned.context.project_id() : spec.project_id;
  instance.user_id = spec.user_id.empty() ? decision.pinned.context.user_id() : spec.user_id;
  instance.availability_zone = spec.availability_zone;
  instance.flavor = kept_flavor(spec);
  instance.request_id = call.request_id;
  instance.created_at = decision.pinned.now;
  instance.updated_at = decision.pinned.now;
  if (const auto* properties = json::find_object(spec.plain, "instance_properties")) {
    instance.name = json::find_string(*properties, "display_name").value_or("");
  }
  if (!instance.name.empty() && spec.num_instances > 1) instance.name += "-" + std::to_string(index + 1);
  if (const auto* image = json::find_object(spec.plain, "image")) {
    instance.image = json::find_string(*image, "name").value_or(json::find_string(*image, "id").value_or(""));
    if (counts_images) instance.image_properties = kept_properties(*image);
  }
  return instance;
}

// The run_instance message of Nova's older interface.
Cast run_instance_cast(const InstanceRequest& request, const fleet::Instance& instance, const Choice& choice,
                       const MethodCall& call, std::int64_t now) {
  json::object properties = request.spec.filter_properties;
  properties["limits"] = to_json(choice.limits);
  json::object shown_instance = shown(instance, false);
  json::object spec = request.spec.plain;
  spec["instance_uuids"] = json::array{json::value(instance.uuid)};
  spec["num_instances"] = 1;
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
               {"request_spec", std::move(spec)},
               {"filter_properties", std::move(properties)},
               {"node", instance.node.empty() ? json::value(nullptr) : json::value(instance.node)},
               {"request_id", call.request_id}};
  for (const auto* key :
       {"requested_networks", "admin_password", "injected_files", "is_first_time", "legacy_bdm_in_spec"}) {
    if (const auto* value = json::find(call.args, key)) cast.args.emplace(key, *value);
  }
  return cast;
}

// Returns the cast's document, and leaves its args as they are. Copying them would double a large request.
std::string document_of(Cast& cast) {
  auto args = std::exchange(cast.args, {});
  auto document = to_json(cast);
  auto& place = document["args"];
  place = std::move(args);
  auto text = json::write(document);
  cast.args = std::move(place.get_object());
  return text;
}

Event event_of(const fleet::Instance& instance) {
  const bool is_placed = instance.vm_state != "error";
  Event event{is_placed ? "instance.scheduled" : "instance.error", "compute", instance.host, instance.uuid};
  event.more = {{"name", instance.name}, {"vm_state", instance.vm_state}, {"project_id", instance.project_id}};
  if (is_placed)
    event.more["node"] = instance.node;
  else
    event.more["fault"] = instance.fault;
  return event;
}

// One instance of the request. Its constructor prepares all that can be made before other changes must wait; apply
// changes the fleet and the casts; committed or undo is called with what became of the transaction.
class Launch {
 public:
  Launch(const MethodCall& call, const InstanceRequest& request, const InstanceDecision& decision, std::uint32_t index);

  // Adds to `outcome` what is stored and told of the instance. An instance whose earlier launch failed gives back the
  // claims and casts of that placement, and its earlier host is asked to end it, unless it is placed there again.
  // `ticket` is that of a confirmed claim, if the instance was placed. Under State::changes.
  void apply(State& state, const fleet::ClaimTicket& ticket, Outcome& outcome);
  void committed(State& state) const;
  void undo(State& state) const;
  json::object take_shown() { return std::move(shown_); }

 private:
  void place(const InstanceDecision& decision, const Choice& choice);
  void fail(const std::string& reason);
  void end_earlier(Outcome& outcome);

  fleet::Instance instance_;
  std::optional<Cast> cast_;  // of an instance that was placed
  std::string cast_id_;
  store::Batch documents_;  // of the cast and the instance
  json::object shown_;
  std::vector<std::string> withdrawn_casts_;  // ids
  std::optional<fleet::Instance> before_;     // the fleet's record before apply
  std::optional<Cast> termination_;           // for the host of the earlier placement
  std::string uuid_;
};

Launch::Launch(const MethodCall& call, const InstanceRequest& request, const InstanceDecision& decision,
               std::uint32_t index)
    : instance_(new_instance(request, index, call, decision)) {
  const auto& placement = decision.sink->placements()[index];
  instance_.decision = decision.record(request, call, index);
  if (placement.pick) {
    place(decision, *placement.pick);
    cast_ = run_instance_cast(request, instance_, *placement.pick, call, decision.pinned.now);
    cast_id_ = cast_->id;
    documents_.push_back({store::Kind::cast, cast_id_, document_of(*cast_)});
  } else {
    fail(placement.refusal.empty() ? decision.reason : placement.refusal);
  }
  documents_.push_back(stored(store::Kind::instance, instance_.uuid, instance_));
  shown_ = shown(instance_, false);
}

void Launch::place(const InstanceDecision& decision, const Choice& choice) {
  const auto name = decision.pinned.moment.row_name(*decision.pinned.view, choice.row);
  instance_.host = name.host;
  instance_.node = name.node;
  instance_.vm_state = "building";
  instance_.task_state = "spawning";
}

void Launch::fail(const std::string& reason) {
  instance_.vm_state = "error";
  instance_.fault = reason.empty() ? "No valid host was found." : "No valid host was found. " + reason;
}

void Launch::apply(State& state, const fleet::ClaimTicket& ticket, Outcome& outcome) {
  withdrawn_casts_ = withdraw_placement(state, instance_.uuid, cast_ ? &ticket.claim() : nullptr, outcome);
  if (cast_) state.casts.hold(*std::exchange(cast_, std::nullopt));
  outcome.events.push_back(event_of(instance_));
  std::move(documents_.begin(), documents_.end(), std::back_inserter(outcome.batch));
  before_ = state.parts.fleet.put_instance(instance_);
  end_earlier(outcome);
  uuid_ = instance_.uuid;
  instance_ = {};  // freed here, and not on the thread that all commits wait for
}

void Launch::end_earlier(Outcome& outcome) {
  if (!before_ || before_->host.empty()) return;
  if (before_->host == instance_.host && before_->node == instance_.node) return;
  termination_ = termination(*before_, shown(*before_, false));
  outcome.batch.push_back({store::Kind::cast, termination_->id, json::write(to_json(*termination_))});
}

void Launch::committed(State& state) const {
  forget_casts(state, withdrawn_casts_);
  if (termination_) state.casts.add(*termination_);
  if (!cast_id_.empty()) state.casts.release(cast_id_);
}

void Launch::undo(State& state) const {
  if (!cast_id_.empty()) forget_casts(state, {cast_id_});
  if (before_)
    state.parts.fleet.put_instance(*before_);
  else
    state.parts.fleet.remove_instance(uuid_);
}

// Returns whether the instance's claim is confirmed, or it has none. If another call has released the claim since the
// driver picked, or the change that made room for it was rolled back, the instance loses its pick and gets that reason.
bool confirm(const InstanceDecision& decision, std::uint32_t index, fleet::ClaimChanges& changes) {
  auto& placement = decision.sink->placements()[index];
  auto& ticket = decision.sink->tickets()[index];
  if (!placement.pick || ticket.confirm(changes)) return true;
  const auto name = decision.pinned.moment.row_name(*decision.pinned.view, placement.pick->row);
  placement.refusal = "What was claimed on host " + std::string(name.host) + " was ended by another call.";
  ticket.give_back();
  placement.pick.reset();
  return false;
}

Outcome schedule_run_instance(State& state, const MethodCall& call) {
  auto request = read(call.args);
  if (!request) return failed(std::move(request).error());
  if (auto fits = check_size(*request, call.args); !fits) return failed(std::move(fits).error());
  if (auto room = check_room(state, request->spec); !room) return failed(std::move(room).error());
  Reservation reservation(state);
  if (auto taken = reservation.take(request->spec.instance_uuids); !taken) return failed(std::move(taken).error());
  if (auto ready = check_launchable(state.parts.fleet, request->spec.instance_uuids); !ready)
    return failed(std::move(ready).error());
  auto decided = decide_avoiding(state, call, *request);
  request->spec.plain["instance_uuids"] = nullptr;  // each cast copies the rest
  const auto launches = std::make_shared<std::vector<Launch>>();
  launches->reserve(request->spec.num_instances);
  for (std::uint32_t i = 0; decided && i < request->spec.num_instances; ++i)
    launches->emplace_back(call, *request, **decided, i);

  auto outcome = changing(state);
  auto ready =
      decided ? check_launchable(state.parts.fleet, request->spec.instance_uuids) : Result<void>(decided.error());
  if (!ready)
    return decided ? failed(std::move(ready).error(), (*decided)->line(*request, call))
                   : failed(std::move(ready).error());
  json::array instances;
  for (std::uint32_t i = 0; i < request->spec.num_instances; ++i) {
    auto& launch = (*launches)[i];
    if (!confirm(**decided, i, outcome.claims)) launch = Launch(call, *request, **decided, i);
    launch.apply(state, (*decided)->sink->tickets()[i], outcome);
    instances.push_back(launch.take_shown());
  }
  const auto& group = (*decided)->group;
  auto joined = join_group(state, group ? group->uuid : std::string(), request->spec.instance_uuids, outcome);
  outcome.reply = json::value(json::object{{"instances", std::move(instances)}});
  outcome.line = (*decided)->line(*request, call);
  outcome.committed = [&state, launches] {
    for (const auto& launch : *launches) launch.committed(state);
  };
  outcome.undo = [&state, launches, joined = std::move(joined)] {
    joined.undo(state.parts.fleet);
    for (const auto& launch : *launches) launch.undo(state);
  };
  return outcome;
}

}  // namespace

std::vector<Method> schedule_run_instance_methods() {
  using enum ArgumentType;
  constexpr std::string_view example_spec =
      R"({"num_instances":1,"instance_uuids":["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"],)"
      R"("instance_properties":{"project_id":"demo","display_name":"web-1"},)"
      R"("flavor":{"name":"m1.small","vcpus":1,"memory_mb":2048,"root_gb":10,"ephemeral_gb":0}})";
  return {
      {.name = "schedule_run_instance",
       .group = "scheduling",
       .effect = Effect::changes,
       .callers = services,
       .summary =
           "Decides for each instance, records it and casts run_instance to its host; one that fails is in ERROR.",
       .args =
           {required("request_spec", object, "Nova's request_spec, with instance_uuids or num_instances.",
                     example_spec),
            optional("admin_password", text, "Goes to the host, and to no driver, log or record.").as(TextKind::secret),
            optional("injected_files", any, "Goes to the host, and to no driver, log or record."),
            optional("requested_networks", any, "Goes to the host as it came."),
            optional("is_first_time", truth, "Goes to the host as it came.", "true"),
            optional("filter_properties", object, "Nova's filter_properties: scheduler_hints, retry and so on.", "{}"),
            optional("legacy_bdm_in_spec", truth, "Goes to the host as it came.", "false")},
       .result = "Placed",
       .handle = schedule_run_instance,
       .subject = compute_topic,
       .driver = deciding_driver}};
}

}  // namespace gantry::scheduling
