// SPDX-License-Identifier: Apache-2.0
//
// What must hold of hosts, claims, instances and casts in memory at any time, but for calls that are under way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// A rule that does not hold.
struct Finding {
  std::string rule;  // limits, claim_instance, claim_cast, instance_host, cast_instance, store
  std::string what;  // "instance 0d0d...": the same thing has the same text
  std::string expected;
  std::string found;
  json::object more = {};  // names: host, instance, ...
};

struct Judged {
  std::vector<Finding> findings;
  std::vector<Finding> remarks;  // not Gantry's doing, but an operator wants to know
  std::size_t hosts = 0, claims = 0, instances = 0, casts = 0;
};

Judged judge(State& state);

json::object shown(const Finding& finding);

}  // namespace gantry::scheduling
