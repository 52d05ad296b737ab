// SPDX-License-Identifier: Apache-2.0
//
// Ends of the process that do not go the whole way of an orderly stop.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "core/config/settings.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::daemon {

// Names the drivers that have not returned, stores what was answered, and ends the process.
[[noreturn]] void end_without_waiting(const drivers::DriverSet& drivers, store::Store& store,
                                      telemetry::Logger& logger);
// Ends the process, which no client can reach any more.
[[noreturn]] void end_unreachable(const config::Settings& settings);
// Ends the process unless the object is destroyed within `time`. The drivers outlive the object.
std::jthread end_within(std::chrono::milliseconds time, const drivers::DriverSet& drivers,
                        std::shared_ptr<telemetry::Logger> logger);
// Returns what ends the process if a driver's code does not return while it is loaded and created.
drivers::Late end_start(const std::shared_ptr<telemetry::Logger>& logger);
// Returns the time until then, a second at least.
std::chrono::milliseconds time_until(std::chrono::steady_clock::time_point then);

}  // namespace gantry::daemon
