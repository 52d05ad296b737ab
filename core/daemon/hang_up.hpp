// SPDX-License-Identifier: Apache-2.0
//
// Handles SIGHUP: opens the log file again, and reads the certificate and the configuration again.
#pragma once

#include "core/scheduling/authority.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

struct HangUpParts {
  transport::HttpServer& server;
  scheduling::Manager& manager;
  scheduling::Authority* authority;  // nullptr: there is none
  telemetry::Logger& logger;
};

// Tells the service manager when that begins and when it is done, which is after the return. [signal thread]
void hang_up(const HangUpParts& parts);

}  // namespace gantry::daemon
