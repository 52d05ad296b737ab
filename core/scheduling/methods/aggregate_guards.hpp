// SPDX-License-Identifier: Apache-2.0
//
// Checks of changes to aggregates that are mostly mistakes: a host that is not known, hosts that lose their aggregate,
// and instances whose host goes to another availability zone. Each error is failed_precondition and says what is in the
// way. The argument `force` of the methods skips these checks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// The hosts that a change adds to an aggregate, and those that it takes out.
struct HostChange {
  std::vector<std::string> added;
  std::vector<std::string> removed;
};

// Checks that a service or a report of each host is known on the topic compute.
Result<void> check_hosts_known(fleet::Fleet& fleet, std::span<const std::string> hosts);
// Checks that the aggregate has no hosts.
Result<void> check_no_hosts(const fleet::Aggregate& aggregate);
// Checks that the change from `before` to `after` leaves each host that has instances in its availability zone.
Result<void> check_zones_kept(const fleet::Fleet& fleet, const HostChange& change, const fleet::Aggregate& before,
                              const fleet::Aggregate& after);
// Checks that no other aggregate puts one of the hosts into another availability zone: a host is in one at most, and
// Nova's API refuses a second one too. `force` does not skip this check.
Result<void> check_one_zone(const fleet::Fleet& fleet, const fleet::Aggregate& aggregate,
                            std::span<const std::string> hosts);

}  // namespace gantry::scheduling
