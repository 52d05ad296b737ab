// SPDX-License-Identifier: Apache-2.0
//
// Bounds of a server's sessions beside those of the config.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gantry::transport {

// Bounds that protect the server from its clients beside those of config; nobody has had to set these yet.
struct HttpLimits {
  std::chrono::milliseconds write{30'000};     // a client that takes nothing of its answer
  std::chrono::milliseconds rest{128};         // at most: between two reads of a request that comes in crumbs, and
                                               // between two requests of who may not ask
  std::uint32_t requests_in_crumbs = 256;      // at a time; one more is refused
  std::uint64_t body_bytes = 2ULL << 30;       // of large bodies at a time; one of the largest that can be set has room
  std::chrono::milliseconds linger{2'000};     // what a refused client still sends is read and dropped for so long
  unsigned free_denials = 3;                   // 401 and 403 of one connection, one after the other; then it rests
  unsigned refusals = 16;                      // of one connection, one after the other: with the last it ends
  std::size_t pipelined_requests = 32;         // of one connection, begun and not yet answered
  std::size_t unsent_bytes = 4 * 1024 * 1024;  // of one connection's answers: above it, no further request is read
};

}  // namespace gantry::transport
