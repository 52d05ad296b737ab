// SPDX-License-Identifier: Apache-2.0
//
// Checks of changes to aggregates that are mostly mistakes: a host that is not known, hosts that lose their aggregate,
// and instances whose host goes to another availability zone. Each error is failed_precondition and says what is in the
// way. The argument `force` of the methods skips these checks.
#pragma once

#include <string>

#include "core/fleet/fleet.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// Returns the zone that the aggregate's metadata names. Empty if it names none.
std::string zone_of(const fleet::Aggregate& aggregate);

// Checks that a service or a report of the host is known on the topic compute.
Result<void> check_host_known(fleet::Fleet& fleet, const std::string& host);
// Checks that the aggregate has no hosts.
Result<void> check_no_hosts(const fleet::Aggregate& aggregate);
// Checks that the change from `before` to `after` leaves each host that has instances in its availability zone.
Result<void> check_zones_kept(const fleet::Fleet& fleet, const fleet::Aggregate& before, const fleet::Aggregate& after);

}  // namespace gantry::scheduling
