// SPDX-License-Identifier: Apache-2.0
//
// HTTP/1.1 with JSON in front of the manager. `POST /v1/<method>` with {"context": {...}, "args": {...}} (both
// optional). `GET /v1/<method>?key=value` for methods that read. `GET /` names the API's versions, /openapi.json
// describes them, /livez and /readyz tell the health. sdk/methods.md is the reference.
//
//   http_listener   accepts connections
//   session/        one connection: bytes to requests, answers to bytes, limits, the thread pools
//   api/            one request: paths, arguments, access, statuses
//   sockets/        unix and TCP sockets, TLS
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/session/http_limits.hpp"
#include "core/transport/sockets/handed_sockets.hpp"

namespace gantry::transport {

class HttpServer {
 public:
  // Binds the sockets of `settings`, sets the unix socket's mode and group, starts the threads. Replaces a stale unix
  // socket. Refuses a unix socket that another process serves. A decision runs on the worker that read the request.
  // `manager` must outlive the server.
  static Result<std::unique_ptr<HttpServer>> start(const config::Settings::Server& settings,
                                                   scheduling::Manager& manager,
                                                   const std::shared_ptr<telemetry::Logger>& logger,
                                                   const HttpLimits& limits = {});
  // Does the same, but serves from serve() on. Uses those of the handed listening sockets that `settings` name.
  static Result<std::unique_ptr<HttpServer>> make(const config::Settings::Server& settings,
                                                  scheduling::Manager& manager,
                                                  const std::shared_ptr<telemetry::Logger>& logger,
                                                  HandedSockets handed, const HttpLimits& limits = {});
  struct Findings {
    std::vector<Error> problems;        // each prevents the start
    std::vector<std::string> warnings;  // one line each
  };
  // Checks the settings that start() may refuse on this system: the certificate, its key, the socket's group and
  // directory. Binds and creates nothing.
  static Findings check(const config::Settings::Server& settings);
  virtual ~HttpServer() = default;

  // Begins to serve, also the connections that another process has accepted. Call this once. [control thread]
  virtual void serve(std::vector<HandedConnection> connections) = 0;

  // Returns the TCP addresses, with the ports that the kernel chose: "https://127.0.0.1:8774".
  virtual std::vector<std::string> addresses() const = 0;
  // Reads the certificate again, for new connections. Keeps the old certificate after an error. [any thread]
  virtual Result<void> reload_certificate() = 0;

  // The callers that the server admits, and the certificate that it shows them, judged and ready to be used.
  struct Access {
    std::string certificate;    // in words: file, end, digest; empty: without TLS
    std::function<void()> use;  // cannot fail; the server lives
  };
  // Returns the access that is in force, with an empty `use`. [any thread]
  virtual Access access() const = 0;
  // Reads what `settings` name: the certificate with its key, for new connections, and the roles of the unix socket and
  // whether TCP needs tokens, for each further request. There is a certificate if and only if there is one now. After an
  // error nothing has changed. [any thread]
  virtual Result<Access> read_access(const config::Settings::Server& settings) = 0;

  // Returns false if other code in the process has closed a listening socket. [any thread]
  virtual bool is_listening() const = 0;

  // Returns whether the threads of each pool are alive: they take up work within that time, or have gone on since the last
  // call. [control thread]
  virtual bool works(std::chrono::milliseconds within) = 0;

  // From now on /readyz says that the service is stopping. Requests are served as before. [control thread]
  virtual void begin_stop() = 0;
  // Stops accepting and removes the unix socket. Waits until `deadline` for the answers of requests under way, then
  // closes the connections. Drops the answers that the manager gives later. Returns when no decision runs on a worker
  // any more, even after the deadline. [control thread]
  virtual void stop(std::chrono::steady_clock::time_point deadline) = 0;

  // ---- for another process that takes over [control thread]
  // Accepts no connection and takes no request until release(), apart from requests that have begun to arrive. Clients
  // notice nothing but a wait. Connections over TLS end after their last answer.
  virtual void hold() = 0;
  // Waits until no request is under way. False: some are at the deadline.
  virtual bool wait_until_held(std::chrono::steady_clock::time_point deadline) = 0;
  virtual void release() = 0;
  // Returns second descriptors of the sockets. The server is held and no request is under way.
  virtual HandedSockets sockets() = 0;
  // Closes what is held: the other process serves it. No stop() is needed any more.
  virtual void leave() = 0;
};

}  // namespace gantry::transport
