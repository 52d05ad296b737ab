// SPDX-License-Identifier: Apache-2.0
//
// Accepts the connections of one socket, unix or TCP, and starts a session on each, every one on a strand of its own.
#pragma once

#include <future>
#include <memory>

#include "core/transport/sockets/tls.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

struct HttpSessionContext;
struct Door;

class HttpListener {
 public:
  struct Way {
    int family;                                    // AF_UNIX, AF_INET or AF_INET6
    std::string (*peer_of)(int descriptor);        // also prepares the connection
    std::shared_ptr<const TlsCertificate> secret;  // nullptr: without TLS
  };

  // Takes `descriptor`, which listens already. What it is given must outlive the sessions.
  static std::shared_ptr<HttpListener> start(Descriptor descriptor, Way way, const HttpSessionContext& context,
                                             Door& door);
  virtual ~HttpListener() = default;

  // Takes what is connected already, then no more. The future is ready when that is done. Once only. [any thread]
  virtual std::future<void> stop() = 0;
};

}  // namespace gantry::transport
