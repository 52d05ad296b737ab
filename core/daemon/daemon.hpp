// SPDX-License-Identifier: Apache-2.0
//
// Runs the daemon: makes its parts in order, serves requests, and ends the parts in the reverse order.
#pragma once

#include <memory>

#include "core/config/load.hpp"
#include "core/daemon/predecessor.hpp"
#include "core/fleet/fleet.hpp"
#include "core/result.hpp"
#include "core/scheduling/authority.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::daemon {

// Makes the authority of a configuration with a Nova deployment, and brings the deployment's facts into the fleet.
using MakeAuthority = Result<std::unique_ptr<scheduling::Authority>> (*)(const config::Settings& settings,
                                                                         fleet::Fleet& fleet,
                                                                         std::shared_ptr<telemetry::Logger> logger,
                                                                         std::shared_ptr<telemetry::Counters> counters);

// Serves until SIGTERM or SIGINT, or until a successor has taken over. `predecessor` hands over to this process; nullptr:
// there is none. exit_status.hpp says which status each error has.
Result<void> run(const config::Loaded& loaded, MakeAuthority make_authority, Predecessor* predecessor);

}  // namespace gantry::daemon
