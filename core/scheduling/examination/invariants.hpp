// SPDX-License-Identifier: Apache-2.0
//
// The invariants of hosts, claims, instances and casts in memory: rules that hold whenever no call is under way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// A broken rule.
struct Finding {
  // The rule's name: limits, claim_instance, claim_cast, instance_claim, instance_host, cast_instance, store.
  std::string rule;
  std::string what;  // the thing that breaks the rule: "instance 0d0d..."; the same text in each examination
  std::string expected;
  std::string found;
  json::object more = {};  // further members of the finding as JSON: host, instance, ...
};

// The result of one check, and the numbers of the things that were checked.
struct InvariantReport {
  std::vector<Finding> findings;
  std::vector<Finding> remarks;  // limits that are exceeded through no fault of Gantry
  std::size_t hosts = 0, claims = 0, instances = 0, casts = 0;
};

InvariantReport check_invariants(State& state);

// Returns the finding as callers see it.
json::object shown(const Finding& finding);

}  // namespace gantry::scheduling
