// SPDX-License-Identifier: Apache-2.0
//
// The invariants of hosts, claims, instances and casts in memory. They hold at any time, except while a call is under
// way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// A rule that is broken.
struct Finding {
  std::string rule;  // limits, claim_instance, claim_cast, instance_host, cast_instance, store
  std::string what;  // what it is about: "instance 0d0d..."; the same text for the same thing at each look
  std::string expected;
  std::string found;
  json::object more = {};  // names: host, instance, ...
};

struct InvariantReport {
  std::vector<Finding> findings;
  std::vector<Finding> remarks;  // worth knowing for an operator, but not Gantry's fault
  std::size_t hosts = 0, claims = 0, instances = 0, casts = 0;
};

InvariantReport check_invariants(State& state);

json::object shown(const Finding& finding);

}  // namespace gantry::scheduling
