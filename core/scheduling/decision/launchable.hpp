// SPDX-License-Identifier: Apache-2.0
//
// Whether instances may be launched: an instance runs once, even if callers ask for it again.
#pragma once

#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// Fails with failed_precondition if a host may run one of the instances already: if the instance is on a host, in any
// state but an error before it was ever active, or if the last report of another host lists it. A host that has not
// fetched its launch counts, too. The caller ends what an instance in error has left on its host (Instance::host).
Result<void> check_launchable(const fleet::Fleet& fleet, const std::vector<std::string>& uuids);

}  // namespace gantry::scheduling
