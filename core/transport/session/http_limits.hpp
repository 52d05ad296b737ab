// SPDX-License-Identifier: Apache-2.0
//
// Bounds that protect the server from its clients, beside the bounds that the configuration sets.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gantry::transport {

struct HttpLimits {
  std::chrono::milliseconds write{30'000};     // how long a client may take no byte of its answer
  std::uint64_t least_write_rate = 16 * 1024;  // bytes a second that a client must take of an answer that takes longer
  std::chrono::milliseconds linger{2'000};     // how long further input of a refused client is dropped
  std::chrono::milliseconds longest_pause{128};  // the longest pause of ClientPacing
  std::uint32_t small_read_requests = 256;       // requests of all connections that arrive in small reads at a time
  std::uint64_t body_bytes = 2ULL << 30;         // large bodies of all connections, until their requests are decided
  unsigned free_denials = 3;                     // 401 and 403 in a row on a connection before it is slowed down
  unsigned refusals = 16;                        // in a row on a connection. The last refusal closes the connection
  std::size_t pipelined_requests = 32;           // of one connection, read and not yet answered
  std::size_t unsent_bytes = 4 * 1024 * 1024;    // of one connection. At this amount no further request is read
};

}  // namespace gantry::transport
