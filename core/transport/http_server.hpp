// SPDX-License-Identifier: Apache-2.0
//
// HTTP/1.1 with JSON in front of the manager. `POST /v1/<method>` with {"context": {...}, "args": {...}} (both
// optional); `GET /v1/<method>?key=value` for the reading ones; `GET /` names the versions, /openapi.json describes them, /livez
// and /readyz tell the health. sdk/methods.md is the reference.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/session/http_limits.hpp"

namespace gantry::transport {

class HttpServer {
 public:
  // Binds the sockets of `settings` (a stale unix socket is replaced, a live one refused), sets the unix socket's mode
  // and group, starts the workers. The decision runs on the worker that read the request. `manager` must outlive the server.
  static Result<std::unique_ptr<HttpServer>> start(const config::Settings::Server& settings,
                                                   scheduling::Manager& manager,
                                                   const std::shared_ptr<telemetry::Logger>& logger,
                                                   const HttpLimits& limits = {});
  // What of the settings start() would refuse on this system: the certificate, its key, the socket's group. Nothing is
  // bound or made.
  static std::vector<Error> problems_of(const config::Settings::Server& settings);
  virtual ~HttpServer() = default;

  // Where it listens over TCP, with the ports that it got: "https://127.0.0.1:8774".
  virtual std::vector<std::string> addresses() const = 0;
  // For new connections; after an error the old one goes on. [any thread]
  virtual Result<void> reload_certificate() = 0;

  // From now on /readyz says that the service is stopping; everything else goes on. [control thread]
  virtual void begin_stop() = 0;
  // Stops accepting, removes the socket, lets requests under way be answered until `deadline`, closes. An answer that
  // the manager gives after that is dropped. Waits for decisions that are being made on the workers. [control thread]
  virtual void stop(std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::transport
