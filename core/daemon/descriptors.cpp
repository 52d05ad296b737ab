// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace gantry::daemon {

namespace {

// Beside connections: the store, the log, drivers, listening sockets, and connections that are being refused.
constexpr rlim_t kept_free = 256;
constexpr rlim_t fewest_connections = 16;

rlim_t raised_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return RLIM_INFINITY;
  const rlimit most{limit.rlim_max, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &most) == 0 ? most.rlim_cur : limit.rlim_cur;
}

}  // namespace

std::string fit_connections(config::Settings::Server& server) {
  const rlim_t allowed = raised_limit();
  const rlim_t ways = server.listen.empty() ? 1 : 2;
  const rlim_t needed = ways * server.max_connections + kept_free;
  if (allowed == RLIM_INFINITY || allowed >= needed) return {};
  const rlim_t left = allowed > kept_free ? (allowed - kept_free) / ways : 0;
  const auto fitting = static_cast<std::uint32_t>(std::max(left, fewest_connections));
  std::string warning = "server.max_connections = " + std::to_string(server.max_connections) +
                        ": expected a limit of at least " + std::to_string(needed) + " open files, found " +
                        std::to_string(allowed) + "; goes on with " + std::to_string(fitting) + " connections" +
                        (ways == 2 ? " of each kind" : "") +
                        "; raise LimitNOFILE of the unit (ulimit -Hn), or set that many";
  server.max_connections = std::min(server.max_connections, fitting);
  return warning;
}

}  // namespace gantry::daemon
