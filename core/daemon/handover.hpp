// SPDX-License-Identifier: Apache-2.0
//
// Hands the service to a successor without a lost or refused request.
//
//   this process                              the successor
//   starts it                                 reads the configuration, tries and loads the drivers, reads the
//                                             state while the store goes on changing; "prepared"
//   leaves Nova's broker, holds clients,
//   finishes what is under way, lets the
//   store go; "store", sockets                takes the store, reads what has changed, makes the server
//                                             "ready"
//   "serve", and ends                         serves. Changes the store from here on
//
// Until "serve", this process takes everything back if the successor fails, ends or takes too long. From then on the
// successor has everything, and serves also if this process ends in between.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/daemon/restart_desk.hpp"
#include "core/daemon/signals.hpp"
#include "core/daemon/watchdog.hpp"
#include "core/scheduling/authority.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

struct HandoverParts {
  transport::HttpServer& server;
  scheduling::Manager& manager;
  scheduling::Authority* authority;  // nullptr: there is none
  const Signals& signals;
  RestartDesk& desk;
  std::shared_ptr<telemetry::Logger> logger;
  Watchdog& watchdog;
  std::string serving;  // the line of status while this process serves
};

enum class HandoverEnd {
  handed_over,  // the successor serves: end
  goes_on,      // this process serves as before
  lost,         // this process cannot go on: what it has in memory is out of date. A new start reads the store
};

// Carries out an order. [control thread]
HandoverEnd hand_over(const HandoverParts& parts, const RestartDesk::Order& order);

}  // namespace gantry::daemon
