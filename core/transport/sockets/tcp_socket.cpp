// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/tcp_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "core/files/errno_text.hpp"

namespace gantry::transport {

namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_storage);

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

bool set_option(int socket, int level, int option, int value) {
  return setsockopt(socket, level, option, &value, sizeof value) == 0;
}

SocketAddress socket_address(const config::ListenAddress& wanted, bool& is_ipv6) {
  SocketAddress address;
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  is_ipv6 = inet_pton(AF_INET6, wanted.address.c_str(), &v6->sin6_addr) == 1;
  if (is_ipv6) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(wanted.port);
    address.size = sizeof(sockaddr_in6);
  } else {
    address.storage = {};
    v4->sin_family = AF_INET;
    v4->sin_port = htons(wanted.port);
    inet_pton(AF_INET, wanted.address.c_str(), &v4->sin_addr);
    address.size = sizeof(sockaddr_in);
  }
  return address;
}

std::string text_of(const SocketAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.storage.ss_family == AF_INET6) {
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
    return "[" + std::string(text.data()) + "]:" + std::to_string(ntohs(v6->sin6_port));
  }
  const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
  inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
  return std::string(text.data()) + ":" + std::to_string(ntohs(v4->sin_port));
}

}  // namespace

std::string address_text(const sockaddr_storage& address) {
  if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return {};
  SocketAddress known;
  known.storage = address;
  return text_of(known);
}

Result<TcpListener> listen_at(const config::ListenAddress& wanted) {
  TcpListener listener;
  SocketAddress address = socket_address(wanted, listener.is_ipv6);
  const auto refused = [&address](std::string_view what) {
    const int why = errno;
    const bool taken = why == EADDRINUSE;
    // The address may come with the network a little later.
    const bool absent = why == EADDRNOTAVAIL;
    return Error{taken    ? ErrorCode::already_exists
                 : absent ? ErrorCode::unavailable
                          : ErrorCode::invalid_configuration,
                 "server.listen '" + text_of(address) + "': " + std::string(what) + ": " + files::errno_text(why) +
                     (taken ? "; see who listens there: ss -ltnp" : ""),
                 ""};
  };
  listener.descriptor =
      Descriptor(socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  const int number = listener.descriptor.number();
  if (number < 0) return refused("socket");
  if (!set_option(number, SOL_SOCKET, SO_REUSEADDR, 1)) return refused("SO_REUSEADDR");
  if (listener.is_ipv6 && !set_option(number, IPPROTO_IPV6, IPV6_V6ONLY, 1)) return refused("IPV6_V6ONLY");
  if (bind(number, address.get(), address.size) != 0) return refused("cannot be bound");
  if (listen(number, SOMAXCONN) != 0) return refused("listen");
  if (getsockname(number, address.get(), &address.size) != 0) return refused("getsockname");
  listener.address = text_of(address);
  return listener;
}

std::string prepare_tcp(int connection) {
  set_option(connection, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(connection, SOL_SOCKET, SO_KEEPALIVE, 1);
  SocketAddress address;
  if (getpeername(connection, address.get(), &address.size) != 0) return "tcp";
  return "tcp " + text_of(address);
}

std::string source_of(int connection) {
  constexpr std::size_t network_size = 8;
  SocketAddress address;
  if (getpeername(connection, address.get(), &address.size) != 0) return {};
  if (address.storage.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address.storage).sin_addr;
    return {reinterpret_cast<const char*>(&four), sizeof four};
  }
  if (address.storage.ss_family != AF_INET6) return {};
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_addr;
  return {reinterpret_cast<const char*>(&six), network_size};
}

}  // namespace gantry::transport
