// SPDX-License-Identifier: Apache-2.0
//
// A Nova deployment in which Gantry has the place of nova-scheduler:
//
//   rpc        takes requests and casts from the broker, answers them
//   facts      keeps Nova's databases in the fleet
//   request    turns a request into a question for placement
//   placement  answers the question, and holds the claims
#pragma once

#include <memory>

#include "core/config/settings.hpp"
#include "core/fleet/fleet.hpp"
#include "core/result.hpp"
#include "core/scheduling/authority.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// Checks the deployment and loads its facts into the fleet. Blocks. The fleet outlives the deployment.
Result<std::unique_ptr<scheduling::Authority>> make_deployment(const config::Settings& settings, fleet::Fleet& fleet,
                                                               std::shared_ptr<telemetry::Logger> logger,
                                                               std::shared_ptr<telemetry::Counters> counters);

}  // namespace gantry::nova
