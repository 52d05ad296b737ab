// SPDX-License-Identifier: Apache-2.0
//
// Hostile clients: a description of each kind, and the process that acts as one within its share of a processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry::bench {

struct Target {
  std::string socket;
  int tcp_port = 0;
  int tls_port = 0;
  std::string token;  // of a reader
};

enum class Way { local, tcp, tls, both };  // both: local and tcp in turn

enum class After {
  repeats,     // the same again on the same connection
  reconnects,  // connects again once the server has ended the connection
  leaves,      // ends the connection itself, at once, without reading
};

struct Attack {
  std::string name;
  Way way = Way::tcp;
  std::size_t connections = 64;
  std::string bytes;        // sent by each connection. Empty: the connection is only held open
  std::size_t at_once = 0;  // bytes a send, at most
  After after = After::reconnects;
};

std::vector<Attack> attacks(const Target& target);

// Written by the attacking process, read by the measuring process, in shared memory.
struct Progress {
  std::atomic<std::uint64_t> connections{0};
  std::atomic<std::uint64_t> sent{0};  // whole texts
  std::atomic<std::uint64_t> open{0};
  std::atomic<bool> begun{false};  // each connection has been made once
};

// Attacks until the process is killed, with at most `share` of a processor.
[[noreturn]] void play(const Attack& attack, const Target& target, double share, Progress& progress);

}  // namespace gantry::bench
