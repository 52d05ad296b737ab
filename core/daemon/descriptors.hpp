// SPDX-License-Identifier: Apache-2.0
//
// How many files the process may have open, and how many connections that allows.
#pragma once

#include <string>

#include "core/config/settings.hpp"

namespace gantry::daemon {

// Raises the process's own limit to the most that it may have. Where that is less than the connections of `server` need,
// lowers their number, so that a full TCP port leaves descriptors to the unix socket and to the store, and says so:
// the warning for the log, or nothing.
std::string fit_connections(config::Settings::Server& server);

}  // namespace gantry::daemon
