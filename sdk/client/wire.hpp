// SPDX-License-Identifier: Apache-2.0
//
// One persistent connection to the daemon. Sends a request and returns its answer, or the way in which it failed.
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
  bool is_document = false;  // sent as GET without a body
};

enum class WireOutcome {
  answered,   // status and body are set
  absent,     // no process listens yet
  denied,     // the connect is not allowed, or its address is wrong
  untrusted,  // the TLS handshake failed: the certificate is not trusted
  lost,       // the connection ended before the answer was complete
  timed_out,  // the deadline passed
  garbage     // the answer is not HTTP
};

struct WireAnswer {
  WireOutcome outcome = WireOutcome::lost;
  std::string reason;   // the reason of a failure
  bool reused = false;  // true if the connection was open before this exchange
  bool connected = false;
  int status = 0;
  std::string body;
};

// [one thread at a time]
class Wire {
 public:
  // ca_file: PEM file of the authorities that may sign the certificate of an https target. Empty: the system's.
  static std::unique_ptr<Wire> to(Target target, std::string ca_file);
  virtual ~Wire() = default;
  virtual WireAnswer exchange(const WireRequest& request, std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::client_library
