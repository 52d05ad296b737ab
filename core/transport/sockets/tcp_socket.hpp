// SPDX-License-Identifier: Apache-2.0
//
// Listening TCP sockets, and who is at the other end of a connection.
#pragma once

#include <string>

#include "core/config/listen_address.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

struct TcpListener {
  Descriptor descriptor;  // listening, non-blocking
  std::string address;    // with the port that it got: "127.0.0.1:8774", "[::1]:8774"
  bool is_ipv6 = false;
};

Result<TcpListener> listen_at(const config::ListenAddress& address);

// "tcp 10.0.0.7:40112"; "tcp" if it is gone. Sets what a connection of ours has: no delay, keep-alive.
std::string prepare_tcp(int connection);

}  // namespace gantry::transport
