// SPDX-License-Identifier: Apache-2.0
//
// Fits the allowed number of connections to the number of files that the process may open.
#pragma once

#include <string>

#include "core/config/settings.hpp"

namespace gantry::daemon {

// Raises the process's soft limit of open files to the hard limit. If the hard limit is too low for
// server.max_connections, lowers max_connections and returns a warning for the log. Otherwise returns an empty string.
std::string fit_connections(config::Settings::Server& server);

}  // namespace gantry::daemon
