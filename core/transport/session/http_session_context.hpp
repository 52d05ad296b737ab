// SPDX-License-Identifier: Apache-2.0
//
// The objects and bounds that the sessions of a server share.
#pragma once

#include <cstdint>
#include <memory>

#include "core/config/settings.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/api/http_access.hpp"
#include "core/transport/api/http_routes.hpp"
#include "core/transport/session/budget.hpp"
#include "core/transport/session/connection_set.hpp"
#include "core/transport/session/http_limits.hpp"
#include "core/transport/session/thread_pools.hpp"

namespace gantry::transport {

// Outlives the sessions.
struct HttpSessionContext {
  HttpSessionContext(ThreadPools& pools, HttpRoutes& routes, HttpAccess& access, scheduling::Manager& manager,
                     std::shared_ptr<telemetry::Logger> logger, const HttpLimits& limits,
                     const config::Settings::Server& settings);

  ThreadPools& pools;
  HttpRoutes& routes;
  HttpAccess& access;
  scheduling::Manager& manager;
  std::shared_ptr<telemetry::Logger> logger;
  HttpLimits limits;
  config::Settings::Server settings;
  std::shared_ptr<ConnectionSet> connections;
  std::shared_ptr<Budget> waiting_requests;
  std::shared_ptr<Budget> body_bytes;
  std::shared_ptr<Budget> small_read_requests;
};

// A kind of socket that the server listens on. Outlives the sessions.
struct Endpoint {
  Endpoint(bool needs_token, std::uint32_t most_connections);

  bool requires_token;
  std::shared_ptr<Budget> connections;
  std::shared_ptr<Budget> refusals;  // connections too many that get an answer at a time. Others are closed without
};

}  // namespace gantry::transport
