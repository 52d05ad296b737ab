// SPDX-License-Identifier: Apache-2.0
//
// Loads the drivers of a question without a daemon.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/config/settings.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "core/whatif/time_limit.hpp"

namespace gantry::whatif {

struct Loading {
  const config::Settings& settings;
  std::chrono::milliseconds timeout;
  const GiveUp& give_up;
};

// Returns "driver 'filter'" or "drivers 'ip', 'volume'".
std::string names_of(const config::Settings& settings);

// Returns a logger to standard error, or none.
Result<std::shared_ptr<telemetry::Logger>> logger_of(bool logs);

// A driver that may be left out of a daemon is still one that is asked here: that it is not there is an error.
Result<drivers::DriverSet> load_drivers(const Loading& loading, const std::shared_ptr<telemetry::Logger>& logger,
                                        const std::shared_ptr<telemetry::Counters>& counters,
                                        const drivers::Prepare& prepare);

}  // namespace gantry::whatif
