// SPDX-License-Identifier: Apache-2.0
//
// One request for instances, from its parsed arguments to a checked decision. select_destinations and
// schedule_run_instance share it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduling/decision/pick_sink.hpp"
#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/decision/policy_questions.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

enum class Operation { select_destinations, schedule_run_instance };

// The parsed arguments of either method.
struct InstanceRequest {
  RequestSpec spec;
  Operation operation = Operation::select_destinations;
  ClaimMode mode = ClaimMode::nothing;
  bool is_question = false;                           // a dry run: nothing comes of it, and no archive keeps it
  std::uint32_t alternates = 0;                       // further hosts wanted for each instance
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;  // GANTRY_EXPLAIN_*
  std::optional<std::uint32_t> explain_row = {};      // the only row to explain
  std::size_t most_explained_bytes = SIZE_MAX;        // the limit of their text; the best hosts come first
  // The fleet, time and seed of the decision. nullopt: as they are at the call of decide().
  std::optional<Instant> at = {};
  // The rows that may be used, of the view of compute at that instant, so `at` has to be set too. nullopt: all rows.
  std::optional<RowBounds> bounds = {};
  // Picks that do not stand. A decision that is made once more with more of them keeps the picks of all instances before
  // the first of these.
  LostPicks lost = {};
  // Rows that may not be picked because their hosts fail builds of the request's kind, of the view of compute at `at`.
  AvoidedRows avoided = {};
  // True: if not every instance gets a host, the request is decided again, and that decision alone is told of.
  bool is_attempt = false;
  // The step of a past decision about the hosts that it avoided.
  std::optional<Step> step_before = {};
  // Where the note of a decision goes that finds no host or fails. nullptr: it is kept as any other.
  std::optional<DecisionNote>* refused = nullptr;
  // With ClaimMode::as_before: the server group as the decision of the past knew it.
  std::optional<RequestedGroup> group_before = {};
  // With ClaimMode::as_before: what policy services answered then.
  NotedAnswers answers_before = {};
};

// A decision that was made and checked. When it is destroyed, its claims are given back, unless the caller has
// confirmed the sink's tickets.
struct InstanceDecision {
  InstanceDecision(State& state, const MethodCall& call, Instant at) : pinned(state, call, "compute", std::move(at)) {}
  PinnedMoment pinned;
  drivers::Driver* driver = nullptr;
  std::string profile;          // the rule that chose the driver; empty: it is the default
  std::string fallback_for;     // the id of the driver in whose place `driver` decides; empty: in its own
  std::string fallback_reason;  // why that driver does not decide
  std::unique_ptr<PickSink> sink;
  std::unique_ptr<PolicyQuestions> questions;  // of `driver` to policy services
  std::optional<RequestedGroup> group;         // the server group of the request
  std::int64_t microseconds = 0;               // the time that the decision took
  std::string reason;                          // why an instance got no pick, if the driver refused it without a reason

  // Returns profile, fallback_for and fallback_reason, with their names: those that are not empty.
  std::vector<std::pair<std::string_view, std::string>> chosen_by() const;
  // Returns the line of the log, as things are at the call: an instance may have lost its pick since it was decided.
  // `error`: the answer to the caller, nullptr if the decision is the answer.
  telemetry::Line line(const InstanceRequest& request, const MethodCall& call, const Error* error = nullptr) const;
  // Returns the decision as it is stored and shown: driver, seed, time, steps, destinations. `only` is the index of an
  // instance: the record then has the steps and the destination of that instance alone.
  json::object record(const InstanceRequest& request, const MethodCall& call,
                      std::optional<std::uint32_t> only = {}) const;
};

// Calls the driver of the compute topic that the profiles choose. If its decision fails by its own fault, its fallback decides at
// the same instant, once the claims of its picks are given back. select_destinations fails as a whole: no_valid_host if the driver found no
// host for some instance. schedule_run_instance treats each instance by itself: instances without a host are a result
// and not an error. Both fail with the driver's error if the driver fails and no fallback decides, and give the claims of all picks back. Both
// fail if the topic has no driver, if the hint `group` names no group, or if the driver breaks the ABI's rules. The
// request must outlive the decision.
Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request);

}  // namespace gantry::scheduling
