// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/instance_decision.hpp"

#include "core/drivers/abi/abi_text.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/decision/requested_group.hpp"

namespace gantry::scheduling {

namespace {

using telemetry::Level;

// Bytes that a driver may allocate for each instance that it places, beside those that every call has.
constexpr std::uint64_t memory_of_an_instance = std::uint64_t{64} << 10;

void log_request(const State& state, const InstanceDecision& decided, const InstanceRequest& request) {
  auto& logger = *state.parts.logger;
  if (!logger.enabled(Level::debug)) return;
  logger.write(Level::debug, "deciding",
               {{"request_id", std::string(drivers::from_abi(decided.pinned.context.view().request_id))},
                {"driver", decided.driver->manifest().id},
                {"context", decided.pinned.context.text()},
                {"request_spec", json::write(request.spec.plain)},
                {"filter_properties", json::write(request.spec.filter_properties)}});
}

std::string placed_text(const InstanceDecision& decided) {
  std::string text;
  for (const auto& placement : decided.sink->placements()) {
    if (!text.empty()) text += ",";
    if (!placement.pick) {
      text += "-";
      continue;
    }
    const auto name = decided.pinned.moment.row_name(*decided.pinned.view, placement.pick->row);
    text.append(name.host);
    if (!name.node.empty() && name.node != name.host) text.append("/").append(name.node);
  }
  return text.size() > 400 ? text.substr(0, 400) + "..." : text;
}

void log_decision(const State& state, const MethodCall& call, const InstanceDecision& decided,
                  const InstanceRequest& request, const std::string& reason) {
  const auto all = decided.sink->placed() == request.spec.num_instances;
  state.parts.counters->add("decisions", all ? "placed" : "no_valid_host", 1);
  if (decided.sink->lost_claims() != 0)
    state.parts.counters->add("claims_lost", decided.driver->manifest().id, decided.sink->lost_claims());
  state.parts.logger->write(
      all ? Level::info : Level::warning, all ? "scheduled" : "no valid host",
      {{"request_id", call.request_id},
       {"topic", "compute"},
       {"driver", decided.driver->manifest().id},
       {"method", call.method},
       {"instances", std::to_string(decided.sink->placed()) + "/" + std::to_string(request.spec.num_instances)},
       {"hosts", std::to_string(decided.pinned.view->rows)},
       {"destinations", placed_text(decided)},
       {"reason", all ? std::string() : reason},
       {"microseconds", std::to_string(decided.pinned.microseconds())}});
}

// The most bytes of host explanations that are kept. An answer that is kept for repeats goes to the store.
std::size_t most_explanation_bytes(const MethodCall& call) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  return call.idempotency_key.empty() ? 64 * mebibyte : mebibyte;
}

// A driver's word is checked before it is believed.
Result<void> check_result(const InstanceDecision& decided, const InstanceRequest& request,
                          const Result<void>& answered) {
  const auto& sink = *decided.sink;
  const auto id = decided.driver->manifest().id;
  if (!sink.misuse().empty()) {
    return Error{ErrorCode::internal, "driver " + id + " broke the ABI's rules: it " + sink.misuse(), {}};
  }
  if (!answered || request.operation == Operation::schedule_run_instance) return {};
  if (sink.placed() != request.spec.num_instances) {
    return Error{ErrorCode::internal,
                 "driver " + id + " answered GANTRY_OK for " + std::to_string(request.spec.num_instances) +
                     " instances and picked hosts for " + std::to_string(sink.placed()),
                 {}};
  }
  return {};
}

void note_incomplete_rows(InstanceDecision& decided, const gantry_request& driver_request) {
  const auto rows = decided.pinned.view->rows;
  std::uint64_t complete = 0;
  for (std::uint32_t word = 0; word < (rows + 63) / 64; ++word) {
    complete += static_cast<std::uint64_t>(__builtin_popcountll(driver_request.complete[word]));
  }
  // A driver that begins with all rows has a step of its own for it.
  const auto& steps = decided.sink->steps();
  if (complete == rows || (!steps.empty() && steps.front().hosts_in == rows)) return;
  std::string needed;
  for (const auto& column : decided.driver->manifest().needs) needed += (needed.empty() ? "" : ", ") + column.name;
  decided.sink->steps().insert(decided.sink->steps().begin(),
                               {"reported", rows, complete, "never reported what the driver needs: " + needed, {}});
}

}  // namespace

Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request) {
  auto driver = state.parts.drivers.require("compute");
  if (!driver) return std::move(driver).error();
  auto group = find_requested_group(request.spec, state.parts.fleet);
  if (!group) return std::move(group).error();

  auto decided = std::make_unique<InstanceDecision>(state, call);
  decided->driver = *driver;
  const auto& pinned = decided->pinned;
  if (pinned.view == nullptr) return Error{ErrorCode::internal, "the fleet has no view of topic compute", {}};
  decided->sink = std::make_unique<PickSink>(state.parts.fleet, pinned.moment, *pinned.view, request.spec, request.mode,
                                             pinned.now);
  if (group->has_value()) decided->sink->set_group(**group);
  if (request.explain_hosts != GANTRY_EXPLAIN_NONE) decided->sink->keep_host_explanations(most_explanation_bytes(call));
  log_request(state, *decided, request);

  auto settings = pinned.settings(decided->sink.get());
  settings.memory_limit += std::uint64_t{request.spec.num_instances} * memory_of_an_instance;
  drivers::DriverCall driver_call(std::move(settings));
  const auto* driver_request =
      build_driver_request(driver_call, *decided->driver, request.spec, group->has_value() ? &**group : nullptr,
                           request.alternates, request.explain_hosts);
  if (driver_request == nullptr) return Error{ErrorCode::resource_exhausted, "no memory to lay the request out", {}};
  const auto answered = request.operation == Operation::select_destinations
                            ? decided->driver->select_destinations(driver_call, *driver_request)
                            : decided->driver->schedule_run_instance(driver_call, *driver_request);
  note_incomplete_rows(*decided, *driver_request);
  if (auto checked = check_result(*decided, request, answered); !checked) return std::move(checked).error();
  const bool no_host = !answered && answered.error().code == ErrorCode::no_valid_host;
  const auto sentence = answered ? std::string() : answered.error().message;
  decided->reason = no_host || answered
                        ? no_valid_host_reason(sentence, decided->sink->first_refusal(), decided->sink->steps())
                        : sentence;
  log_decision(state, call, *decided, request, decided->reason);
  // Instances that schedule_run_instance had placed before the driver failed keep their places.
  if (answered || request.operation == Operation::schedule_run_instance) return decided;
  if (no_host) {
    const auto& sink = *decided->sink;
    return no_valid_host(decided->driver->manifest().id, decided->reason, sink.steps(), sink.host_explanations());
  }
  return Error(answered.error());
}

json::object InstanceDecision::record(const InstanceRequest& request, const MethodCall& call,
                                      std::optional<std::uint32_t> only) const {
  json::array destinations;
  const std::size_t begin = only.value_or(0);
  const std::size_t end = only ? begin + 1 : sink->placements().size();
  for (std::size_t i = begin; i < end; ++i) {
    const auto& placement = sink->placements()[i];
    if (!placement.pick) continue;
    const auto name = pinned.moment.row_name(*pinned.view, placement.pick->row);
    json::object destination{{"host", name.host}, {"node", name.node}};
    if (!request.spec.instance_uuids.empty()) destination["instance_uuid"] = request.spec.instance_uuids[i];
    if (placement.pick->weight) destination["weight"] = *placement.pick->weight;
    destinations.push_back(std::move(destination));
  }
  std::vector<Step> steps;
  for (const auto& step : sink->steps()) {
    if (!only || !step.instance || *step.instance == *only) steps.push_back(step);
  }
  return {{"driver", driver->manifest().id},
          {"driver_version", driver->manifest().version},
          {"request_id", call.request_id},
          {"seed", pinned.seed},
          {"now", time_json(pinned.now)},
          {"hosts", pinned.view->rows},
          {"steps", steps_json(steps)},
          {"microseconds", pinned.microseconds()},
          {"destinations", std::move(destinations)}};
}

}  // namespace gantry::scheduling
