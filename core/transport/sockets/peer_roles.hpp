// SPDX-License-Identifier: Apache-2.0
//
// The callers of the unix socket whose role server.socket_roles limits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/config/socket_role.hpp"
#include "core/result.hpp"
#include "core/scheduling/caller.hpp"
#include "core/transport/sockets/peer_identity.hpp"

namespace gantry::transport {

// [any thread]
class PeerRoles {
 public:
  // Looks up the users and groups of the entries, which config::parse_socket_role has accepted. Fails if the system
  // does not know one.
  static Result<PeerRoles> of(const std::vector<std::string>& entries);

  // Returns the caller by the first entry that names its user or one of its groups, else by the entry for the others.
  // nullptr: the caller is trusted like an admin, as each is where there is no entry, and as root and the daemon's own
  // user are where none names them. Error permission_denied: no entry names the peer, or the kernel does not
  // tell its user or groups.
  Result<std::shared_ptr<const scheduling::Caller>> caller_of(const PeerIdentity& identity) const;

 private:
  struct Entry {
    config::SocketRole::Who who;
    unsigned id;  // uid or gid
    scheduling::Role role;
    std::string host;
    std::vector<std::string> topics;
  };
  std::vector<Entry> entries_;
};

}  // namespace gantry::transport
