// SPDX-License-Identifier: Apache-2.0
//
// Makes listening TCP sockets and names the peer of a connection.
#pragma once

#include <sys/socket.h>

#include <string>

#include "core/config/listen_address.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

// A TCP socket that listens.
struct TcpListener {
  Descriptor descriptor;  // listening, non-blocking
  std::string address;    // with the port that the system chose: "127.0.0.1:8774", "[::1]:8774"
  bool is_ipv6 = false;
};

// Makes the socket and listens. Error already_exists if another process listens at the address.
Result<TcpListener> listen_at(const config::ListenAddress& address);

// Returns an IPv4 or IPv6 address with its port: "127.0.0.1:8774", "[::1]:8774". Empty for another kind.
std::string address_text(const sockaddr_storage& address);

// Sets no-delay and keep-alive on a connection and returns its peer: "tcp 10.0.0.7:40112". "tcp" if the peer is gone.
std::string prepare_tcp(int connection);

// Returns where a connection comes from, as bytes to compare: the IPv4 address, or the network of an IPv6 address (its
// first 64 bits, all of which one machine may have). Empty: not over TCP.
std::string source_of(int connection);

}  // namespace gantry::transport
