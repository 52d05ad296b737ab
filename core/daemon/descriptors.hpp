// SPDX-License-Identifier: Apache-2.0
//
// Fits the number of connections to the number of files that the process may open.
#pragma once

#include <string>

#include "core/config/settings.hpp"

namespace gantry::daemon {

// Raises the process's soft limit to the hard limit. If that is too low for the connections of `server`, lowers their
// number, so that a full TCP port leaves descriptors for the unix socket and the store. Returns the warning for the
// log. Empty if the limit suffices.
std::string fit_connections(config::Settings::Server& server);

}  // namespace gantry::daemon
