// SPDX-License-Identifier: Apache-2.0
//
// Tells the service manager the state of the daemon, by sd_notify's protocol: a datagram to $NOTIFY_SOCKET.
#pragma once

#include <string_view>

namespace gantry::daemon {

// Sends lines like "READY=1\nSTATUS=serving". Does nothing without $NOTIFY_SOCKET.
void notify_service_manager(std::string_view lines);

}  // namespace gantry::daemon
