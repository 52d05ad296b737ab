// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/peer_identity.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

namespace gantry::transport {

namespace {

std::optional<std::vector<gid_t>> groups_of(int connection) {
  std::array<gid_t, 64> few{};
  socklen_t size = sizeof few;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, few.data(), &size) == 0)
    return std::vector<gid_t>(few.begin(), few.begin() + size / sizeof(gid_t));
  if (errno != ERANGE) return std::nullopt;
  std::vector<gid_t> groups(size / sizeof(gid_t));
  if (getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) != 0) return std::nullopt;
  groups.resize(size / sizeof(gid_t));
  return groups;
}

}  // namespace

PeerIdentity identity_of(int connection) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return {};
  auto groups = groups_of(connection);
  if (!groups) return {};
  return {true, credentials.uid, credentials.gid, *std::move(groups)};
}

}  // namespace gantry::transport
