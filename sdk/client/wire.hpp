// SPDX-License-Identifier: Apache-2.0
//
// One kept connection to the daemon: a request goes out, its answer comes back, or it is said how that failed.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "target.hpp"

namespace gantry::client_library {

struct WireRequest {
  std::string path;  // "/v1/status"
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;          // JSON
  bool is_document = false;  // asked for with GET and without a body
};

enum class WireOutcome {
  answered,   // status and body hold
  absent,     // nobody answers the connect; somebody may soon
  denied,     // the connect is not allowed, or its address is wrong
  untrusted,  // the TLS handshake failed: its certificate is not what was expected
  lost,       // the connection ended before the answer was whole
  timed_out,  // the deadline passed
  garbage     // what came is no HTTP
};

struct WireAnswer {
  WireOutcome outcome = WireOutcome::lost;
  std::string reason;   // of a failure
  bool reused = false;  // the connection was one of an earlier exchange
  bool connected = false;
  int status = 0;
  std::string body;
};

// [one thread at a time]
class Wire {
 public:
  // ca_file: PEM of the authorities that a https target's certificate may come from; empty: the system's.
  static std::unique_ptr<Wire> to(Target target, std::string ca_file);
  virtual ~Wire() = default;
  virtual WireAnswer exchange(const WireRequest& request, std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::client_library
