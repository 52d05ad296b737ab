// SPDX-License-Identifier: Apache-2.0
//
// Tells what became of each host while a place was sought for one instance, where the request asks for it: the hosts
// that are left in their order, then the others.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <vector>

#include "decision/ranking.hpp"
#include "policy/policy.hpp"

namespace filter_driver {

// One instance's hosts. Bitmaps have a bit for each row.
struct seeking {
  std::uint32_t instance = 0;
  bool skips_filters = false;
  const std::vector<std::uint64_t>& named;   // those that the request may use at all; of the first instance
  const std::vector<std::uint64_t>& before;  // those that the filters were asked for
  const std::vector<std::uint64_t>& left;    // those that passed
  const std::vector<std::uint32_t>& order;   // the same, the first choice in front
};

// `wanted` is not none. Throws gantry::failure, deadline_exceeded.
void explain_hosts(gantry::call& call, gantry::explain_hosts wanted, const policy& rules, const question& asked,
                   const seeking& hosts, const rounds& weights);

}  // namespace filter_driver
