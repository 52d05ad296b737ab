// SPDX-License-Identifier: Apache-2.0
//
// One request for instances, from its arguments to a checked decision: what select_destinations and
// schedule_run_instance share.
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
  std::uint32_t accounts = GANTRY_ACCOUNTS_NONE;
};

// A decision that has been made and checked. Whoever makes it good calls sink.keep().
struct InstanceDecision {
  InstanceDecision(State& state, const MethodCall& call) : pinned(state, call, "compute") {}
  PinnedMoment pinned;
  drivers::Driver* driver = nullptr;
  std::unique_ptr<PickSink> sink;
  std::string reason;  // why an instance without pick and refusal got none

  // Driver, seed, time, steps, destinations: what is kept and shown of it; of one instance alone, if one is named.
  json::object record(const InstanceRequest& request, const MethodCall& call,
                      std::optional<std::uint32_t> only = {}) const;
};

// no_valid_host for a select_destinations that placed fewer than all (its claims are given back); for
// schedule_run_instance, whose instances stand on their own, it is a result. Other errors: the driver failed.
// The request must outlive what is returned.
Result<std::unique_ptr<InstanceDecision>> decide(State& state, const MethodCall& call, const InstanceRequest& request);

}  // namespace gantry::scheduling
