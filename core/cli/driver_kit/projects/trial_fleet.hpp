// SPDX-License-Identifier: Apache-2.0
//
// A small simulated fleet on which a driver can decide.
#pragma once

#include <string>

#include "core/drivers/judge/driver_file.hpp"

namespace gantry::cli {

constexpr int trial_hosts = 3;

// Returns a file for `gantry agent --simulate`: three hosts of the driver's first topic, that differ in size and report a
// value for each column that the driver, or an offer of the library, needs beside the core's.
std::string trial_fleet(const drivers::DriverFile& file);

}  // namespace gantry::cli
