// SPDX-License-Identifier: Apache-2.0
//
// Bounds that protect the server from its clients, beside the bounds that the configuration sets.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gantry::transport {

struct HttpLimits {
  std::chrono::milliseconds write{30'000};       // a client that takes no byte of its answer
  std::chrono::milliseconds linger{2'000};       // reading and dropping the input of a client that was refused
  std::chrono::milliseconds longest_pause{128};  // between small reads of a request, and after 401 and 403
  std::uint32_t small_read_requests = 256;       // arriving at a time in small reads, over all connections
  std::uint64_t body_bytes = 2ULL << 30;         // of large bodies arriving at a time, over all connections
  unsigned free_denials = 3;                     // 401 and 403 in a row on a connection before it is slowed down
  unsigned refusals = 16;                        // in a row on a connection; the last one closes it
  std::size_t pipelined_requests = 32;           // of one connection, begun and not yet answered
  std::size_t unsent_bytes = 4 * 1024 * 1024;    // of one connection's answers; above, no further request is read
};

}  // namespace gantry::transport
