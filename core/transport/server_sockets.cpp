// SPDX-License-Identifier: Apache-2.0
#include "core/transport/server_sockets.hpp"

#include <utility>

#include "core/config/listen_address.hpp"

namespace gantry::transport {

namespace {

Result<UnixListener> local_socket(const config::Settings::Server& settings, HandedSockets& handed) {
  auto taken = take_listening(handed.listening, settings.socket);
  if (!taken) return listen_at(settings);
  if (handed.keeps_file) return UnixListener{*std::move(taken), settings.socket};
  return take_over(*std::move(taken), settings);
}

Result<TcpListener> tcp_socket(const config::ListenAddress& address, HandedSockets& handed) {
  auto taken = take_listening(handed.listening, address);
  if (!taken) return listen_at(address);
  TcpListener listener;
  listener.address = place_of(*taken);
  listener.is_ipv6 = listener.address.starts_with('[');
  listener.descriptor = *std::move(taken);
  return listener;
}

}  // namespace

Result<ServerSockets> open_sockets(const config::Settings::Server& settings, HandedSockets handed) {
  ServerSockets sockets;
  if (auto checked = check_all_named(handed, settings); !checked) return std::move(checked).error();
  if (!settings.tls_certificate.empty()) {
    auto certificate = TlsCertificate::load(settings.tls_certificate, settings.tls_key);
    if (!certificate) return std::move(certificate).error();
    sockets.certificate = *std::move(certificate);
  }
  for (const auto& text : settings.listen) {
    const auto address = config::parse_listen_address(text);
    if (!address) return address.error();
    auto socket = tcp_socket(*address, handed);
    if (!socket) return std::move(socket).error();
    sockets.tcp.push_back(*std::move(socket));
  }
  auto roles = PeerRoles::of(settings.socket_roles);
  if (!roles) return std::move(roles).error();
  sockets.roles = *std::move(roles);
  auto local = local_socket(settings, handed);
  if (!local) return std::move(local).error();
  sockets.local = *std::move(local);
  sockets.keeps_file = handed.keeps_file && sockets.local.inode == 0;
  return sockets;
}

}  // namespace gantry::transport
