// SPDX-License-Identifier: Apache-2.0
//
// The sockets that a server listens on, bound and not yet served, with what decides who comes in.
#pragma once

#include <memory>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/transport/sockets/handed_sockets.hpp"
#include "core/transport/sockets/peer_roles.hpp"
#include "core/transport/sockets/tcp_socket.hpp"
#include "core/transport/sockets/tls.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

struct ServerSockets {
  UnixListener local;
  std::vector<TcpListener> tcp;
  std::shared_ptr<TlsCertificate> certificate;  // nullptr: without TLS
  PeerRoles roles;
  bool keeps_file = false;  // the unix socket's file is the service manager's
};

// Binds the sockets of the settings, but uses those of the handed ones that the settings name. Reads certificate and key.
Result<ServerSockets> open_sockets(const config::Settings::Server& settings, HandedSockets handed);

}  // namespace gantry::transport
