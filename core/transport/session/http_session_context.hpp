// SPDX-License-Identifier: Apache-2.0
//
// The objects and bounds that all sessions of a server share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/config/settings.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/api/http_access.hpp"
#include "core/transport/api/http_routes.hpp"
#include "core/transport/session/answer_counts.hpp"
#include "core/transport/session/budget.hpp"
#include "core/transport/session/caller_places.hpp"
#include "core/transport/session/connection_set.hpp"
#include "core/transport/session/http_limits.hpp"
#include "core/transport/session/seats.hpp"
#include "core/transport/session/thread_pools.hpp"
#include "core/transport/session/unsent_answers.hpp"

namespace gantry::transport {

// Must outlive the sessions.
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
  std::shared_ptr<AnswerCounts> answers;
  std::shared_ptr<ConnectionSet> connections;
  std::shared_ptr<Budget> waiting_requests;    // requests that wait for the manager's answer, without long polls
  std::shared_ptr<CallerPlaces> examinations;  // the places of reports and of calls of the doctor
  std::shared_ptr<UnsentAnswers> unsent_answers;
  std::shared_ptr<Budget> body_bytes;           // bytes of large bodies, until their requests are decided
  std::shared_ptr<Budget> small_read_requests;  // requests that are arriving in small reads (client_pacing.hpp)
};

// The bounds of one kind of listening socket: the unix socket, or all TCP sockets together. Must outlive the sessions.
struct Endpoint {
  enum class Kind : std::uint8_t { local, tcp };
  Endpoint(Kind kind, bool needs_token, std::uint32_t most_connections);

  const Kind kind;
  std::atomic<bool> requires_token;  // may change while connections are open
  std::shared_ptr<Seats> seats;      // seats of the connections that are served
  // Connections beyond these that are being refused with an answer. Further connections are closed without one.
  std::shared_ptr<Budget> refusals;
};

}  // namespace gantry::transport
