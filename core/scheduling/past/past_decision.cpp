// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/past/past_decision.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "core/drivers/driver_set.hpp"
#include "core/scheduling/decision/decision_notes.hpp"

namespace gantry::scheduling {

namespace {

Error no_longer_known(const PastDecision& past, const std::string& why) {
  return {ErrorCode::failed_precondition, "decision " + std::to_string(past.id) + " cannot be made again: " + why, {}};
}

// A driver keeps nothing of what it finds in a recalled moment, so a question about it does not disturb others.
Result<fleet::Moment> recall_moment(State& state, const PastDecision& past) {
  auto moment = state.decisions.recall(past.run, past.moment);
  if (!moment && moment.error().code == ErrorCode::not_found)
    return no_longer_known(past, moment.error().message + " (decisions.facts_bytes bounds them)");
  return moment;
}

// Returns the driver that decided, whichever the profiles would choose now.
Result<drivers::Driver*> driver_of(const State& state, const PastDecision& past,
                                   const drivers::DriverInstances& instances) {
  const auto id = past.text("driver");
  auto* const driver = state.parts.drivers.named(id);
  if (driver == nullptr) {
    std::string loaded;
    for (const auto* each : state.parts.drivers.all()) loaded += (loaded.empty() ? "" : ", ") + each->manifest().id;
    return no_longer_known(past, "driver " + id + " decided, and it is not loaded now; loaded are: " + loaded);
  }
  if (driver->file().sha256 != past.text("driver_sha256"))
    return no_longer_known(past, "the file of driver " + id + " is another one now");
  if (const auto why = drivers::why_unrepeatable(driver->manifest())) return no_longer_known(past, *why);
  if (past.text("policy") != instances.policy_of(*driver))
    return no_longer_known(past, "the options of driver " + id + " have changed since");
  return driver;
}

std::vector<std::string> uuids_of(const PastDecision& past) {
  std::vector<std::string> uuids;
  if (const auto* list = json::find_array(past.record, "instance_uuids")) {
    for (const auto& item : *list) uuids.emplace_back(std::string_view(item.get_string()));
  }
  return uuids;
}

// The picks of avoided hosts are among those that did not hold. The failures themselves are no longer known.
std::optional<Step> avoidance_of(const PastDecision& past) {
  const auto* steps = json::find_array(past.record, "steps");
  if (steps == nullptr || steps->empty()) return std::nullopt;
  const auto& last = steps->back().get_array();
  if (std::string_view(last.at(0).get_string()) != build_failures_step) return std::nullopt;
  return Step{std::string(build_failures_step),
              last.at(1).to_number<std::uint64_t>(),
              last.at(2).to_number<std::uint64_t>(),
              std::string(std::string_view(last.at(3).get_string())),
              {}};
}

Result<std::unique_ptr<InstanceRequest>> read_request(const PastDecision& past) {
  const auto* spec = json::find(past.record, "request");
  if (spec == nullptr) return no_longer_known(past, "its request is not in the record");
  const auto* properties = json::find_object(past.record, "filter_properties");
  auto parsed = parse_request_spec(*spec, properties != nullptr ? *properties : json::object(), uuids_of(past));
  if (!parsed) return std::move(parsed).error();
  const bool runs = past.text("method") == "schedule_run_instance";
  auto request = std::make_unique<InstanceRequest>(
      InstanceRequest{.spec = *std::move(parsed),
                      .operation = runs ? Operation::schedule_run_instance : Operation::select_destinations,
                      .mode = ClaimMode::as_before,
                      .alternates = static_cast<std::uint32_t>(past.number("wanted_alternates"))});
  for (const auto& lost : past_hosts(past, "lost")) request->lost.insert({lost.instance, lost.row});
  request->step_before = avoidance_of(past);
  if (const auto* group = json::find_object(past.record, "group")) request->group_before = read_group(*group);
  if (const auto* bounds = json::find_object(past.record, "bounds")) {
    if (lacks_candidates(*bounds))
      return no_longer_known(past, "the allocation candidates of its hosts were too many to keep");
    request->bounds = read_bounds(*bounds);
  }
  if (const auto* answers = json::find_array(past.record, "answers")) {
    if (lacks_answers(*answers))
      return no_longer_known(past, "the answers of its policy services were too long to keep");
    request->answers_before = read_answers(*answers);
  }
  return request;
}

std::uint64_t seed_of(const PastDecision& past) {
  const auto text = past.text("seed");
  std::uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  return seed;
}

// Returns whether the record of the decision that was made again has the same members, bit for bit.
bool are_same(const PastDecision& past, const DecisionNote& again, std::initializer_list<std::string_view> keys) {
  const auto record = json::parse_object(record_of(again), json::stored_depth);
  if (!record) return false;
  return std::ranges::all_of(keys, [&](std::string_view key) {
    const auto* before = json::find(past.record, key);
    const auto* now = json::find(*record, key);
    return before == nullptr || now == nullptr ? before == now : *before == *now;
  });
}

}  // namespace

Result<PastDecision> read_past(const store::KeptDecision& kept) {
  auto record = json::parse_object(kept.record, json::stored_depth);
  if (!record) return std::move(record).error().within("decision " + std::to_string(kept.id));
  return PastDecision{kept.id, kept.time, kept.run, kept.moment, *std::move(record)};
}

Result<PastDecision> find_past(State& state, std::optional<std::int64_t> id, const std::string& instance_uuid) {
  auto archive = state.decisions.archive();
  if (!archive) return std::move(archive).error();
  if (id) {
    auto found = (*archive)->find(*id);
    if (!found) return std::move(found).error();
    if (*found) return read_past(**found);
    return Error{ErrorCode::not_found, "no decision " + std::to_string(*id) + " is kept", {}};
  }
  store::ArchiveQuery query;
  query.names.push_back(instance_name(instance_uuid));
  query.limit = 1;
  auto found = (*archive)->list(query);
  if (!found) return std::move(found).error();
  if (!found->empty()) return read_past(found->front());
  return Error{ErrorCode::not_found, "no decision about instance '" + instance_uuid + "' is kept", {}};
}

std::vector<PastHost> past_hosts(const PastDecision& past, std::string_view key) {
  std::vector<PastHost> hosts;
  const auto* list = json::find_array(past.record, key);
  if (list == nullptr) return hosts;
  for (const auto& item : *list) {
    const auto& pick = item.get_array();
    PastHost host;
    host.instance = static_cast<std::uint32_t>(pick.at(0).to_number<std::int64_t>());
    host.row = static_cast<std::uint32_t>(pick.at(1).to_number<std::int64_t>());
    host.host = std::string_view(pick.at(2).get_string());
    host.node = std::string_view(pick.at(3).get_string());
    if (pick.size() > 4) host.weight = pick[4].to_number<double>();
    hosts.push_back(std::move(host));
  }
  return hosts;
}

Result<PastInput> recall(State& state, const MethodCall& asked, const PastDecision& past) {
  if (past.moment == 0) return no_longer_known(past, "no driver was asked: " + past.text("reason"));
  auto instances = state.parts.drivers.in_use();
  auto driver = driver_of(state, past, *instances);
  if (!driver) return std::move(driver).error();
  auto request = read_request(past);
  if (!request) return std::move(request).error();
  auto moment = recall_moment(state, past);
  if (!moment) return std::move(moment).error();
  MethodCall call;
  call.method = past.text("method");
  call.request_id = past.text("request_id");
  if (const auto* context = json::find_object(past.record, "context")) call.context = *context;
  call.deadline = asked.deadline;
  call.turn = asked.turn;
  Instant at{past.time, seed_of(past), *std::move(moment), std::move(instances), {}, *driver};
  (*request)->at = at;
  return PastInput{std::move(call), std::move(at), *std::move(request)};
}

std::optional<std::uint32_t> row_of(const PastInput& input, std::string_view host, std::string_view node) {
  const auto* view = input.at.moment.view("compute");
  if (view == nullptr) return std::nullopt;
  for (std::uint32_t row = 0; row < view->rows; ++row) {
    const auto name = input.at.moment.row_name(*view, row);
    if (name.host == host && (node.empty() || name.node == node)) return row;
  }
  return std::nullopt;
}

Result<Again> decide_again(State& state, const PastDecision& past, PastInput& input, const AgainWish& wish) {
  Again again;
  again.request = std::move(input.request);
  again.request->explain_hosts = wish.explain_hosts;
  again.request->most_explained_bytes = wish.most_explained_bytes;
  if (wish.only_host) again.request->explain_row = row_of(input, *wish.only_host, wish.only_node);
  std::optional<DecisionNote> note;
  again.request->refused = &note;
  auto decided = decide(state, input.call, *again.request);
  again.request->refused = nullptr;
  if (decided) note = note_of(input.call, *again.request, **decided, nullptr);
  if (note && !are_same(past, *note, {"answers"}))
    return no_longer_known(past, "the driver asked its policy services something else");
  if (decided) {
    again.decision = *std::move(decided);
  } else if (decided.error().code == ErrorCode::no_valid_host) {
    again.refusal = std::move(decided).error();
  } else {
    return std::move(decided).error();
  }
  if (!note || !are_same(past, *note, {"picks", "alternates", "steps"})) {
    return Error{ErrorCode::internal,
                 "decision " + std::to_string(past.id) +
                     " comes out differently when it is made again: the driver has read something that is not a fact "
                     "of the hosts",
                 {}};
  }
  return again;
}

}  // namespace gantry::scheduling
