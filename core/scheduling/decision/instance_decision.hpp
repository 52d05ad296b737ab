// SPDX-License-Identifier: Apache-2.0
//
// One request for instances, from its parsed arguments to a checked decision. select_destinations and
// schedule_run_instance share it.
#pragma once

#include <functional>
#include <string>

#include "core/scheduling/decision/pick_sink.hpp"
#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

enum class Operation { select_destinations, schedule_run_instance };

struct InstanceRequest {
  RequestSpec spec;
  Operation operation = Operation::select_destinations;
  ClaimMode mode = ClaimMode::nothing;
  std::uint32_t alternates = 0;
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;
};

// A decision that was made and checked. Its claims are given back at its end, unless the caller confirms the sink's
// tickets.
struct InstanceDecision {
  InstanceDecision(State& state, const MethodCall& call) : pinned(state, call, "compute") {}
  PinnedMoment pinned;
  drivers::Driver* driver = nullptr;
  std::unique_ptr<PickSink> sink;
  std::string reason;  // why an instance without pick and refusal got none

  // Returns the decision as it is stored and shown: driver, seed, time, steps, destinations. With `only`, those of one
  // instance.
  json::object record(const InstanceRequest& request, const MethodCall& call,
                      std::optional<std::uint32_t> only = {}) const;
};

// Calls the driver of the compute topic. no_valid_host if select_destinations placed fewer than all instances; for
// schedule_run_instance, which treats each instance by itself, a missing host is a result and not an error. Other
// errors: the driver failed. The request must outlive the returned decision.
Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request);

}  // namespace gantry::scheduling
