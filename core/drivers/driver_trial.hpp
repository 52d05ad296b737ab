// SPDX-License-Identifier: Apache-2.0
//
// Loads and creates a driver in a process of its own, to find what a start would find.
#pragma once

#include <chrono>
#include <string>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Loads and creates a checked driver and its offers in a child process. The driver may crash, hang or end that process.
// Returns the error that a start would get, or one with invalid_configuration that says how the process ended. The
// child is a fork of this process, which must have no other threads. A driver with isolation = "process" runs in a runner
// of the child's.
Result<void> try_driver(const config::Settings& settings, const CheckedFile& driver, std::chrono::milliseconds time);

}  // namespace gantry::drivers
