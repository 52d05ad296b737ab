// SPDX-License-Identifier: Apache-2.0
//
// The sockets that a service manager has opened for this process, by sd_listen_fds' protocol: $LISTEN_PID, $LISTEN_FDS.
#pragma once

#include "core/transport/sockets/handed_sockets.hpp"

namespace gantry::daemon {

// Returns the sockets, and removes the variables, so that no child takes them for its own. None if there are none, or
// they are another process's. Call this before the first thread.
transport::HandedSockets take_service_manager_sockets();

}  // namespace gantry::daemon
