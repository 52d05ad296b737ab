// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/instance_decision.hpp"

#include <algorithm>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/load/outcome.hpp"
#include "core/scheduling/decision/decision_notes.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/decision/measurement.hpp"
#include "core/scheduling/decision/requested_group.hpp"
#include "core/scheduling/request/redaction.hpp"

namespace gantry::scheduling {

namespace {

using telemetry::Level;

// The memory that a driver may keep for each instance that it places, beside what every call has.
constexpr std::uint64_t memory_of_an_instance = std::uint64_t{64} << 10;

void log_request(const State& state, const InstanceDecision& decided, const InstanceRequest& request) {
  auto& logger = *state.parts.logger;
  if (!logger.enabled(Level::debug)) return;
  const auto text = [&state](const json::object& object) {
    return json::write(state.changeable.log_full_requests ? object : without_user_content(object));
  };
  logger.write(Level::debug, "deciding",
               {{"request_id", std::string(drivers::from_abi(decided.pinned.context.view().request_id))},
                {"driver", decided.driver->manifest().id},
                {"context", decided.pinned.context.text()},
                {"request_spec", text(request.spec.plain)},
                {"filter_properties", text(request.spec.filter_properties)}});
}

std::string placed_text(const InstanceDecision& decided) {
  constexpr std::size_t longest = 400;
  std::string text;
  for (const auto& placement : decided.sink->placements()) {
    if (text.size() > longest) break;
    if (!text.empty()) text += ",";
    if (!placement.pick) {
      text += "-";
      continue;
    }
    const auto name = decided.pinned.moment.row_name(*decided.pinned.view, placement.pick->row);
    text.append(name.host);
    if (!name.node.empty() && name.node != name.host) text.append("/").append(name.node);
  }
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

bool is_failure(const Error* error) {
  return error != nullptr && error->code != ErrorCode::no_valid_host;
}

// `error`: the answer to the caller, nullptr if the decision is the answer.
void count_decision(const State& state, const InstanceDecision& decided, const InstanceRequest& request,
                    const Error* error) {
  const bool all = error == nullptr && decided.sink->placed() == request.spec.num_instances;
  state.parts.counters->add("decisions", is_failure(error) ? "failed" : all ? "placed" : "no_valid_host", 1);
  measure(state, decided,
          is_failure(error) ? DecisionOutcome::failed
          : all             ? DecisionOutcome::placed
                            : DecisionOutcome::no_valid_host);
  if (decided.sink->lost_claims() != 0)
    state.parts.counters->add("claims_lost", decided.driver->manifest().id, decided.sink->lost_claims());
}

// The most bytes of host explanations that are kept. An answer that is kept for repeats goes to the store.
std::size_t most_explanation_bytes(const MethodCall& call) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  return call.idempotency_key.empty() ? 64 * mebibyte : mebibyte;
}

// A driver's word is checked before it is believed. A result, GANTRY_OK or "no valid host", must speak of each instance
// as the operation asks.
Result<void> check_result(const InstanceDecision& decided, const InstanceRequest& request, const Result<void>& answered,
                          telemetry::Counters& counters) {
  if (!answered) return answered.error().code == ErrorCode::no_valid_host ? Result<void>() : answered;
  const bool may_refuse = request.operation == Operation::schedule_run_instance;
  const auto& placements = decided.sink->placements();
  const auto silent = std::find_if(placements.begin(), placements.end(), [&](const auto& placement) {
    return !placement.pick && !(may_refuse && placement.is_refused);
  });
  if (silent == placements.end()) return {};
  const auto& manifest = decided.driver->manifest();
  counters.add("misuses", manifest.id, 1);
  return drivers::misuse_of("answered GANTRY_OK for " + std::to_string(placements.size()) +
                                " instances and neither picked a host for instance " +
                                std::to_string(silent - placements.begin()) +
                                (may_refuse ? " nor refused it" : ", nor said that there is no valid host"),
                            manifest.id, may_refuse ? "schedule_run_instance" : "select_destinations");
}

// The rows that the driver could see, and those of them that have reported what it needs.
struct SeenRows {
  std::uint64_t all = 0;
  std::uint64_t complete = 0;
};

SeenRows seen_rows(const gantry_request& driver_request) {
  const auto rows = driver_request.view->rows;
  SeenRows seen{driver_request.eligible == nullptr ? rows : 0, 0};
  for (std::uint32_t word = 0; word < (rows + 63) / 64; ++word) {
    auto complete = driver_request.complete[word];
    if (driver_request.eligible != nullptr) {
      seen.all += static_cast<std::uint64_t>(__builtin_popcountll(driver_request.eligible[word]));
      complete &= driver_request.eligible[word];
    }
    seen.complete += static_cast<std::uint64_t>(__builtin_popcountll(complete));
  }
  return seen;
}

void note_incomplete_rows(InstanceDecision& decided, const SeenRows& seen) {
  // A driver that begins with all rows has a step of its own for it.
  const auto& steps = decided.sink->steps();
  if (seen.complete == seen.all || (!steps.empty() && steps.front().hosts_in == seen.all)) return;
  std::string needed;
  for (const auto& column : decided.driver->manifest().needs) needed += (needed.empty() ? "" : ", ") + column.name;
  decided.sink->steps().insert(
      decided.sink->steps().begin(),
      {"reported", seen.all, seen.complete, "never reported what the driver needs: " + needed, {}});
}

// An authority has the last word on a decision: it is kept then. A decision of the past is kept already.
void note_decision(State& state, const MethodCall& call, const InstanceRequest& request,
                   const InstanceDecision& decided, const Error* error) {
  if (!state.decisions.is_kept() || request.is_question) return;
  if (request.refused != nullptr && error != nullptr)
    *request.refused = note_of(call, request, decided, error);
  else if (state.parts.authority == nullptr && request.mode != ClaimMode::as_before)
    state.decisions.add(note_of(call, request, decided, error));
}

bool are_of_view(const RowBounds& bounds, const gantry_view& view) {
  const std::size_t words = (std::size_t{view.rows} + 63) / 64;
  return bounds.eligible.size() == words && bounds.claimable.size() == words &&
         (!bounds.candidates || bounds.candidates->rows.size() == view.rows);
}

void note_bounds(InstanceDecision& decided, const InstanceRequest& request, const SeenRows& seen) {
  if (!request.bounds) return;
  const std::uint64_t rows = decided.pinned.view->rows;
  decided.sink->steps().insert(
      decided.sink->steps().begin(),
      {"placement", rows, seen.all, seen.all < rows ? request.bounds->reason : std::string(), {}});
}

// Tells which hosts the driver would have chosen and were passed over.
void note_avoided(InstanceDecision& decided, const InstanceRequest& request) {
  auto& steps = decided.sink->steps();
  if (request.step_before) steps.push_back(*request.step_before);
  const auto& avoided = decided.sink->avoided();
  if (avoided.empty()) return;
  constexpr std::size_t most_told = 3;
  std::string reason;
  std::size_t told = 0;
  for (const auto row : avoided) {
    if (told++ == most_told) break;
    reason += (reason.empty() ? "" : "; ") + request.avoided.at(row);
  }
  if (avoided.size() > most_told) reason += "; and " + std::to_string(avoided.size() - most_told) + " more";
  const auto in = steps.empty() ? std::uint64_t{decided.pinned.view->rows} : steps.back().hosts_out;
  steps.push_back({std::string(build_failures_step), in, in - std::min<std::uint64_t>(in, avoided.size()), reason, {}});
}

}  // namespace

Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request) {
  auto driver = state.parts.drivers.require("compute");
  if (!driver) return std::move(driver).error();
  const bool is_repeated = request.mode == ClaimMode::as_before;
  auto group = is_repeated ? Result<std::optional<RequestedGroup>>(request.group_before)
                           : find_requested_group(request.spec, state.parts.fleet, call);
  if (!group) return std::move(group).error();

  auto decided = std::make_unique<InstanceDecision>(state, call, request.at ? *request.at : Instant::now(state));
  decided->driver = *driver;
  if (auto* const stand_in = is_repeated ? nullptr : state.parts.drivers.stand_in_for(**driver)) {
    decided->driver = stand_in;
    decided->fallback_for = (*driver)->manifest().id;
  }
  const auto& pinned = decided->pinned;
  if (pinned.view == nullptr) return Error{ErrorCode::internal, "the fleet has no view of topic compute", {}};
  if (request.bounds && (!request.at || !are_of_view(*request.bounds, *pinned.view)))
    return Error{ErrorCode::internal, "the bounds of a request are not those of the view that it is decided on", {}};
  decided->sink = std::make_unique<PickSink>(state.parts.fleet, pinned.moment, *pinned.view, request.spec, request.mode,
                                             pinned.now);
  decided->group = *std::move(group);
  if (decided->group) decided->sink->set_group(*decided->group);
  if (request.bounds) decided->sink->set_bounds(*request.bounds);
  decided->sink->set_lost(request.lost);
  if (!request.avoided.empty()) decided->sink->set_avoided(request.avoided);
  if (request.explain_hosts != GANTRY_EXPLAIN_NONE)
    decided->sink->keep_host_explanations(std::min(most_explanation_bytes(call), request.most_explained_bytes),
                                          request.explain_row);
  log_request(state, *decided, request);

  auto settings = pinned.settings(decided->sink.get());
  settings.memory_limit += std::uint64_t{request.spec.num_instances} * memory_of_an_instance;
  drivers::DriverCall driver_call(std::move(settings));
  const auto* driver_request =
      build_driver_request(driver_call, *decided->driver, request.spec, decided->group ? &*decided->group : nullptr,
                           request.alternates, request.explain_hosts, request.bounds ? &*request.bounds : nullptr);
  if (driver_request == nullptr) return Error{ErrorCode::resource_exhausted, "no memory to lay the request out", {}};
  const auto answered = request.operation == Operation::select_destinations
                            ? decided->driver->select_destinations(driver_call, *driver_request)
                            : decided->driver->schedule_run_instance(driver_call, *driver_request);
  // The caller is answered already.
  if (call.turn != nullptr && call.turn->is_given_up()) return answered.error();
  const auto seen = seen_rows(*driver_request);
  note_incomplete_rows(*decided, seen);
  note_bounds(*decided, request, seen);
  note_avoided(*decided, request);
  auto checked = check_result(*decided, request, answered, *state.parts.counters);
  if (checked) {
    const auto sentence = answered ? std::string() : answered.error().message;
    decided->reason = no_valid_host_reason(sentence, decided->sink->first_refusal(), decided->sink->steps());
    // With one instance without a host, select_destinations places none.
    if (!answered && request.operation == Operation::select_destinations) {
      const auto& sink = *decided->sink;
      checked = no_valid_host(decided->driver->manifest().id, decided->reason, sink.steps(), sink.host_explanations());
    }
  }
  decided->microseconds = pinned.microseconds();
  const bool places_all = checked && decided->sink->placed() == request.spec.num_instances;
  if (request.is_attempt && !places_all && (checked || checked.error().code == ErrorCode::no_valid_host)) {
    if (checked) return decided;
    return std::move(checked).error();
  }
  if (!is_repeated) count_decision(state, *decided, request, checked ? nullptr : &checked.error());
  note_decision(state, call, request, *decided, checked ? nullptr : &checked.error());
  if (checked) return decided;
  if (is_repeated) return std::move(checked).error();
  const auto line = decided->line(request, call, &checked.error());
  state.parts.logger->write(line.level, line.message, line.fields);
  return std::move(checked).error();
}

telemetry::Line InstanceDecision::line(const InstanceRequest& request, const MethodCall& call,
                                       const Error* error) const {
  const bool has_failed = is_failure(error);
  const auto placed = has_failed ? 0 : sink->placed();
  const bool all = error == nullptr && placed == request.spec.num_instances;
  const bool is_dry_run = request.mode == ClaimMode::nothing;
  const bool is_quiet = call.authority_call != nullptr && call.authority_call->is_quiet();
  telemetry::Line line{is_quiet            ? Level::debug
                       : has_failed        ? Level::error
                       : all || is_dry_run ? Level::info
                                           : Level::warning,
                       std::string(is_dry_run ? "dry run: " : "") + (has_failed ? "the driver failed"
                                                                     : all      ? "scheduled"
                                                                                : "no valid host"),
                       {{"request_id", call.request_id},
                        {"topic", "compute"},
                        {"driver", driver->manifest().id},
                        {"method", call.method},
                        {"instances", std::to_string(placed) + "/" + std::to_string(request.spec.num_instances)},
                        {"hosts", std::to_string(pinned.view->rows)},
                        {"destinations", has_failed ? std::string() : placed_text(*this)},
                        {"reason", has_failed ? error->message
                                   : all      ? std::string()
                                              : reason},
                        {"microseconds", std::to_string(microseconds)}}};
  if (!fallback_for.empty()) line.fields.push_back({"fallback_for", fallback_for});
  return line;
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
  json::object record{{"driver", driver->manifest().id},
                      {"driver_version", driver->manifest().version},
                      {"request_id", call.request_id},
                      {"seed", pinned.seed},
                      {"now", time_json(pinned.now)},
                      {"hosts", pinned.view->rows},
                      {"steps", steps_json(steps)},
                      {"microseconds", pinned.microseconds()},
                      {"destinations", std::move(destinations)}};
  if (!fallback_for.empty()) record["fallback_for"] = fallback_for;
  return record;
}

}  // namespace gantry::scheduling
