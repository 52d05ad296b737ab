// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/instance_decision.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

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

// The sentence that stands for the driver's own failure where it is not asked at all.
constexpr std::string_view not_asked = "its process is away, or all its calls hang";

// Whether a decision has failed by the driver's fault. A result, and what the caller did wrong, are none.
bool is_fault(const Result<void>& checked) {
  if (checked) return false;
  const auto code = checked.error().code;
  return code != ErrorCode::no_valid_host && code != ErrorCode::invalid_argument && code != ErrorCode::unsupported;
}

class DecisionMaking {
 public:
  DecisionMaking(State& state, const MethodCall& call, const InstanceRequest& request)
      : state_(state),
        call_(call),
        request_(request),
        is_repeated_(request.mode == ClaimMode::as_before),
        at_(request.at ? *request.at : Instant::now(state)) {}

  Result<std::unique_ptr<InstanceDecision>> run() {
    if (auto found = find_group(); !found) return std::move(found).error();
    auto chosen = choose();
    if (!chosen) return refuse(std::move(chosen).error());
    auto* const stand_in = is_repeated_ ? nullptr : state_.parts.drivers.stand_in_for(*chosen->driver);
    if (auto made = make(stand_in != nullptr ? *stand_in : *chosen->driver); !made) return std::move(made).error();
    decided_->profile = chosen->profile;
    if (stand_in != nullptr) note_fallback(*chosen->driver, std::string(not_asked), "");
    if (auto asked = ask(); !asked) return std::move(asked).error();
    if (auto* const fallback = fallback_for_failure()) {
      if (auto asked = ask_fallback(*fallback); !asked) return std::move(asked).error();
    }
    return finish();
  }

 private:
  Result<void> find_group() {
    auto group = is_repeated_ ? Result<std::optional<RequestedGroup>>(request_.group_before)
                              : find_requested_group(request_.spec, state_.parts.fleet, call_);
    if (!group) return std::move(group).error();
    group_ = *std::move(group);
    return {};
  }

  Result<ChosenDriver> choose() const {
    if (at_.driver != nullptr) return ChosenDriver{at_.driver, {}};
    const auto project = json::find_string(call_.context, "project_id").value_or("");
    return at_.profiles->choose(
        facts_of(request_.spec, group_ ? &*group_ : nullptr, project, at_.moment.view("compute")),
        state_.parts.drivers);
  }

  // Tells of a request that no driver is asked about. Without a driver of the topic nothing is told.
  Error refuse(Error error) {
    if (error.code != ErrorCode::no_valid_host) return error;
    auto refusal = no_valid_host({}, error.message, {});
    if (is_repeated_ || request_.is_question) return refusal;
    state_.parts.counters->add("decisions", "no_valid_host", 1);
    state_.parts.logger->write(Level::warning, "no valid host",
                               {{"request_id", call_.request_id}, {"method", call_.method}, {"reason", error.message}});
    if (!state_.decisions.is_kept()) return refusal;
    auto note = note_of_refusal(state_, call_, request_, refusal);
    if (request_.refused != nullptr)
      *request_.refused = std::move(note);
    else if (state_.parts.authority == nullptr)
      state_.decisions.add(std::move(note));
    return refusal;
  }

  // Makes the decision that the driver is to fill.
  Result<void> make(drivers::Driver& driver) {
    decided_ = std::make_unique<InstanceDecision>(state_, call_, at_);
    decided_->driver = &driver;
    const auto& pinned = decided_->pinned;
    if (pinned.view == nullptr) return Error{ErrorCode::internal, "the fleet has no view of topic compute", {}};
    if (request_.bounds && (!request_.at || !are_of_view(*request_.bounds, *pinned.view)))
      return Error{ErrorCode::internal, "the bounds of a request are not those of the view that it is decided on", {}};
    decided_->sink = std::make_unique<PickSink>(state_.parts.fleet, pinned.moment, *pinned.view, request_.spec,
                                                request_.mode, pinned.now);
    auto& sink = *decided_->sink;
    decided_->group = std::move(group_);
    if (decided_->group) sink.set_group(*decided_->group);
    if (request_.bounds) sink.set_bounds(*request_.bounds);
    sink.set_lost(request_.lost);
    if (!request_.avoided.empty()) sink.set_avoided(request_.avoided);
    if (request_.explain_hosts != GANTRY_EXPLAIN_NONE)
      sink.keep_host_explanations(std::min(most_explanation_bytes(call_), request_.most_explained_bytes),
                                  request_.explain_row);
    log_request(state_, *decided_, request_);
    return {};
  }

  std::unique_ptr<PolicyQuestions> make_questions() const {
    if (is_repeated_) return std::make_unique<PolicyQuestions>(request_.answers_before);
    return std::make_unique<PolicyQuestions>(state_.parts.policy_services, decided_->driver->manifest().id,
                                             decided_->pinned.deadline);
  }

  // Asks the driver and checks what it says. Error: it could not be asked, or the caller is answered already.
  Result<void> ask() {
    const auto& pinned = decided_->pinned;
    auto settings = pinned.settings(decided_->sink.get());
    decided_->questions = make_questions();
    settings.asker = decided_->questions.get();
    settings.memory_limit += std::uint64_t{request_.spec.num_instances} * memory_of_an_instance;
    drivers::DriverCall driver_call(std::move(settings));
    const auto* driver_request = build_driver_request(
        driver_call, *decided_->driver, request_.spec, decided_->group ? &*decided_->group : nullptr,
        request_.alternates, request_.explain_hosts, request_.bounds ? &*request_.bounds : nullptr);
    if (driver_request == nullptr) return Error{ErrorCode::resource_exhausted, "no memory to lay the request out", {}};
    const auto answered = request_.operation == Operation::select_destinations
                              ? decided_->driver->select_destinations(driver_call, *driver_request)
                              : decided_->driver->schedule_run_instance(driver_call, *driver_request);
    if (call_.turn != nullptr && call_.turn->is_given_up()) return answered.error();
    const auto seen = seen_rows(*driver_request);
    note_incomplete_rows(*decided_, seen);
    note_bounds(*decided_, request_, seen);
    note_avoided(*decided_, request_);
    checked_ = check_result(*decided_, request_, answered, *state_.parts.counters);
    if (checked_) conclude(answered);
    decided_->microseconds = pinned.microseconds();
    return {};
  }

  // With one instance without a host, select_destinations places none.
  void conclude(const Result<void>& answered) {
    const auto sentence = answered ? std::string() : answered.error().message;
    const auto& sink = *decided_->sink;
    decided_->reason = no_valid_host_reason(sentence, sink.first_refusal(), sink.steps());
    if (answered || request_.operation != Operation::select_destinations) return;
    json::object decided_by{{"driver", decided_->driver->manifest().id}};
    for (const auto& [key, value] : decided_->chosen_by()) decided_by[key] = value;
    checked_ = no_valid_host(std::move(decided_by), decided_->reason, sink.steps(), sink.host_explanations());
  }

  // nullptr: nothing has failed, or no other driver is to decide.
  drivers::Driver* fallback_for_failure() const {
    if (is_repeated_ || !is_fault(checked_) || !decided_->fallback_for.empty()) return nullptr;
    const bool has_time = std::chrono::steady_clock::now() < call_.callers_deadline.value_or(call_.deadline);
    return has_time ? state_.parts.drivers.fallback_of(*decided_->driver) : nullptr;
  }

  // Decides once more at the same instant. The claims of the driver that has failed are given back first.
  Result<void> ask_fallback(drivers::Driver& fallback) {
    const auto failed = std::move(decided_);
    const auto failure = checked_.error().message;
    auto& driver = *failed->driver;
    if (call_.turn != nullptr) driver.turns().give_back(*call_.turn);
    failed->sink.reset();
    group_ = std::move(failed->group);
    state_.parts.logger->write(Level::warning, "the driver failed, its fallback decides",
                               {{"request_id", call_.request_id},
                                {"driver", driver.manifest().id},
                                {"fallback", fallback.manifest().id},
                                {"reason", failure}});
    if (auto made = make(fallback); !made) return made;
    decided_->profile = failed->profile;
    auto& pinned = decided_->pinned;
    const auto now = std::chrono::steady_clock::now();
    pinned.started = failed->pinned.started;
    pinned.deadline =
        std::min(call_.callers_deadline.value_or(call_.deadline), now + state_.changeable.call_timeout.load());
    note_fallback(driver, failure, failure);
    if (auto asked = ask(); !asked) return asked;
    if (is_fault(checked_)) checked_.error().message += " (in the place of: " + failure + ")";
    return {};
  }

  // `failure`: how the driver has failed; empty: it was not asked.
  void note_fallback(const drivers::Driver& driver, std::string reason, const std::string& failure) {
    decided_->fallback_for = driver.manifest().id;
    decided_->fallback_reason = std::move(reason);
    state_.fallbacks.note(decided_->fallback_for, decided_->driver->manifest().id, failure);
  }

  Result<std::unique_ptr<InstanceDecision>> finish() {
    const bool places_all = checked_ && decided_->sink->placed() == request_.spec.num_instances;
    if (request_.is_attempt && !places_all && (checked_ || checked_.error().code == ErrorCode::no_valid_host)) {
      if (checked_) return std::move(decided_);
      return std::move(checked_).error();
    }
    const auto* const error = checked_ ? nullptr : &checked_.error();
    if (!is_repeated_) count_decision(state_, *decided_, request_, error);
    note_decision(state_, call_, request_, *decided_, error);
    if (checked_) return std::move(decided_);
    if (!is_repeated_) {
      const auto line = decided_->line(request_, call_, error);
      state_.parts.logger->write(line.level, line.message, line.fields);
    }
    return std::move(checked_).error();
  }

  State& state_;
  const MethodCall& call_;
  const InstanceRequest& request_;
  const bool is_repeated_;
  const Instant at_;
  std::optional<RequestedGroup> group_;
  std::unique_ptr<InstanceDecision> decided_;
  Result<void> checked_;  // the answer of the driver that was asked last
};

}  // namespace

Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request) {
  return DecisionMaking(state, call, request).run();
}

}  // namespace gantry::scheduling
