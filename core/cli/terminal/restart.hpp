// SPDX-License-Identifier: Apache-2.0
//
// Has a new process take over from the daemon and waits for the end of that.
#pragma once

#include <chrono>
#include <optional>

#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// How long the new process may take until it can take over. nullopt: as the daemon's configuration says.
using RestartTime = std::optional<std::chrono::milliseconds>;

// Returns the arguments of the method restart.
json::object restart_arguments(RestartTime time);

// Returns the restart as `gantry status` tells of it after it has succeeded. The error failed_precondition tells why the
// old process goes on, deadline_exceeded that the end is not known.
Result<json::object> restart_and_wait(Session& session, RestartTime time);

}  // namespace gantry::cli
