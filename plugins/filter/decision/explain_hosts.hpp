// SPDX-License-Identifier: Apache-2.0
//
// Explains to the core, for one instance, why each host was chosen or left out. The hosts that passed come first, in
// the order of choice. The other hosts follow.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <optional>
#include <vector>

#include "decision/ranking.hpp"
#include "policy/policy.hpp"

namespace filter_driver {

// The state of one instance's decision after the filters and weighers have run. A bitmap has a bit for each row of the
// host table.
struct seeking {
  std::uint32_t instance = 0;
  bool skips_filters = false;                // true if no filter ran, since the request forces hosts or nodes
  std::optional<gantry::bits> eligible;      // hosts that may be used at all. nullopt: all
  const std::vector<std::uint64_t>& named;   // bitmap: hosts that the request allows
  const std::vector<std::uint64_t>& before;  // bitmap: hosts that went into the filters
  const std::vector<std::uint64_t>& left;    // bitmap: hosts that passed the filters
  const std::vector<std::uint32_t>& order;   // rows of `left`, the first choice first
};

// Calls call.explain_host() for each host, with as much detail as `wanted` asks for. `wanted` must not be
// explain_hosts::none. `weights` has the hosts' weights in its latest round. Throws gantry::failure with
// deadline_exceeded if the deadline passes.
void explain_hosts(gantry::call& call, gantry::explain_hosts wanted, const policy& rules, const question& asked,
                   const seeking& hosts, const rounds& weights);

}  // namespace filter_driver
