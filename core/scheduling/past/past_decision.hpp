// SPDX-License-Identifier: Apache-2.0
//
// A decision of the past, read from the archive, and made again on the facts as they were.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/scheduling/decision/instance_decision.hpp"
#include "core/store/archive/decision_archive.hpp"

namespace gantry::scheduling {

// One kept decision. `record` has these members; lists and texts that are empty may be absent:
//   request_id method driver driver_version driver_sha256 policy profile fallback_for fallback_reason project_id user_id outcome num_instances placed hosts
//   microseconds seed wanted_alternates reason
//   picks alternates lost     [[instance, row, host, node, weight?]]
//   steps                     [[name, hosts in, hosts out, reason, instance?]]
//   instance_uuids group bounds answers authority filter_properties context request
struct PastDecision {
  std::int64_t id = 0;
  std::int64_t time = 0;  // nanoseconds since 1970
  std::int64_t run = 0;
  std::uint64_t moment = 0;
  json::object record;

  std::string text(std::string_view key) const { return std::string(json::find_string(record, key).value_or("")); }
  std::int64_t number(std::string_view key) const { return json::find_integer(record, key).value_or(0); }
};

Result<PastDecision> read_past(const store::KeptDecision& kept);
// Returns the decision of that id, or the latest one about the instance. not_found if the archive has it no more.
Result<PastDecision> find_past(State& state, std::optional<std::int64_t> id, const std::string& instance_uuid);

// A host of a past decision.
struct PastHost {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::string node;
  std::optional<double> weight;
};
// Reads `picks`, `alternates` or `lost`.
std::vector<PastHost> past_hosts(const PastDecision& past, std::string_view key);

// How a decision is made again.
struct AgainWish {
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;
  std::size_t most_explained_bytes = SIZE_MAX;
  std::optional<std::string> only_host = {};  // the host to explain; nullopt: all
  std::string only_node = {};
};

// The outcome of a decision that was made again.
struct Again {
  std::unique_ptr<InstanceRequest> request;
  std::unique_ptr<InstanceDecision> decision;  // nullptr: no valid host
  std::optional<Error> refusal;                // if there is no decision: no_valid_host with its details
};

// The input of a past decision: its request and its instant.
struct PastInput {
  MethodCall call;
  Instant at;
  std::unique_ptr<InstanceRequest> request;  // with at, bounds, lost picks and group as they were
};
// Reads the input. failed_precondition with a sentence about what is no longer known: the facts, the driver or
// its options. The same for a driver that decides from history.
Result<PastInput> recall(State& state, const MethodCall& asked, const PastDecision& past);

// Makes the decision again on its input. internal if the outcome is another than the record says: something that the decision
// rested on is not what it was.
Result<Again> decide_again(State& state, const PastDecision& past, PastInput& input, const AgainWish& wish);

// Returns the row of the host. nullopt: the moment has none.
std::optional<std::uint32_t> row_of(const PastInput& input, std::string_view host, std::string_view node);

// The decision as methods show it: {id, time, request_id, ..., destinations, reason}.
json::object summary_of(const PastDecision& past);
// The same with seed, steps, leaders, request and so on.
json::object shown_past(const PastDecision& past);

}  // namespace gantry::scheduling
