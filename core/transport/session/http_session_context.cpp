// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/http_session_context.hpp"

#include <utility>

namespace gantry::transport {

HttpSessionContext::HttpSessionContext(ThreadPools& thread_pools, HttpRoutes& http_routes, HttpAccess& http_access,
                                       scheduling::Manager& service_manager, std::shared_ptr<telemetry::Logger> log,
                                       const HttpLimits& http_limits, const config::Settings::Server& server)
    : pools(thread_pools),
      routes(http_routes),
      access(http_access),
      manager(service_manager),
      logger(std::move(log)),
      limits(http_limits),
      settings(server),
      answers(std::make_shared<AnswerCounts>()),
      connections(std::make_shared<ConnectionSet>()),
      waiting_requests(std::make_shared<Budget>(server.max_waiting_requests)),
      examinations(std::make_shared<CallerPlaces>(LongReads::most_waiting, LongReads::most_waiting_of_one)),
      unsent_answers(std::make_shared<UnsentAnswers>(server.max_unsent_bytes)),
      body_bytes(std::make_shared<Budget>(http_limits.body_bytes)),
      small_read_requests(std::make_shared<Budget>(http_limits.small_read_requests)) {}

Endpoint::Endpoint(Kind of_sockets, bool needs_token, std::uint32_t most_connections)
    : kind(of_sockets),
      requires_token(needs_token),
      seats(std::make_shared<Seats>(Seats::bounds_for(most_connections))) {
  constexpr std::uint64_t most_refusals_at_a_time = 64;
  refusals = std::make_shared<Budget>(most_refusals_at_a_time);
}

}  // namespace gantry::transport
