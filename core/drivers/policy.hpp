// SPDX-License-Identifier: Apache-2.0
//
// Hashes the options and libraries of a driver, by which it decides beside its file and the facts.
#pragma once

#include <string>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::drivers {

// Returns a hash of the options and libraries of a driver, and of the content of the files that its options of kind file
// name. Two decisions of one driver file with the same hash, facts, time and seed are the same.
std::string policy_of(const DriverFile& file, const config::DriverSettings& settings);

}  // namespace gantry::drivers
