// SPDX-License-Identifier: Apache-2.0
//
// Tells the service manager how the daemon stands (sd_notify's protocol: a datagram to $NOTIFY_SOCKET).
#pragma once

#include <string_view>

namespace gantry::daemon {

// Lines such as "READY=1\nSTATUS=serving". Does nothing where nobody listens.
void notify_service_manager(std::string_view lines);

}  // namespace gantry::daemon
