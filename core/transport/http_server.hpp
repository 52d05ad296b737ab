// SPDX-License-Identifier: Apache-2.0
//
// HTTP/1.1 with JSON in front of the manager. `POST /v1/<method>` with {"context": {...}, "args": {...}} (both
// optional); `GET /v1/<method>?key=value` for the reading ones; `GET /` names the versions, /livez and /readyz tell the
// health. sdk/methods.md is the reference.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::transport {

// Bounds that protect the server from its clients; nobody has had to set them yet.
struct HttpLimits {
  std::chrono::milliseconds idle{75'000};      // a connection without a request
  std::chrono::milliseconds request{30'000};   // from a request's first byte to its last
  std::chrono::milliseconds write{30'000};     // a client that takes nothing of its answer
  std::chrono::milliseconds linger{2'000};     // what a refused client still sends is read and dropped for so long
  std::size_t header_bytes = 16 * 1024;        // request line and headers together
  std::size_t pipelined_requests = 32;         // of one connection, begun and not yet answered
  std::size_t unsent_bytes = 4 * 1024 * 1024;  // of one connection's answers: above it, no further request is read
};

class HttpServer {
 public:
  // Binds the socket of `settings` (a stale one is replaced, a live one refused), sets its mode and group, starts the
  // workers. The decision runs on the worker that read the request. `manager` must outlive the server.
  static Result<std::unique_ptr<HttpServer>> start(const config::Settings::Server& settings,
                                                   scheduling::Manager& manager,
                                                   std::shared_ptr<telemetry::Logger> logger,
                                                   const HttpLimits& limits = {});
  virtual ~HttpServer() = default;

  // From now on /readyz says that the service is stopping; everything else goes on. [control thread]
  virtual void begin_stop() = 0;
  // Stops accepting, removes the socket, lets requests under way be answered until `deadline`, closes. An answer that
  // the manager gives after that is dropped. Waits for decisions that are being made on the workers. [control thread]
  virtual void stop(std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::transport
