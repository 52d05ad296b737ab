// SPDX-License-Identifier: Apache-2.0
//
// The caller of a connection to the unix socket, under roles that may change while the connection is open.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/result.hpp"
#include "core/scheduling/caller.hpp"
#include "core/transport/sockets/peer_identity.hpp"
#include "core/transport/sockets/peer_roles.hpp"

namespace gantry::transport {

// The roles that are in force. [any thread]
class RolesInForce {
 public:
  explicit RolesInForce(PeerRoles roles) : roles_(std::move(roles)) {}

  void replace(PeerRoles roles);
  // Returns another number after each replace().
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  Result<std::shared_ptr<const scheduling::Caller>> caller_of(const PeerIdentity& identity) const;

 private:
  std::atomic<std::uint64_t> version_{1};
  mutable std::mutex mutex_;
  PeerRoles roles_;
};

class PeerCaller {
 public:
  // The connection has no caller of its own.
  PeerCaller() = default;
  // `roles` must outlive the object.
  PeerCaller(const RolesInForce& roles, PeerIdentity identity) : roles_(&roles), identity_(std::move(identity)) {}

  // Returns the caller by the roles that are in force now. nullptr: the caller is trusted like an admin, or has none.
  // Error permission_denied: no entry of the roles names the peer.
  const Result<std::shared_ptr<const scheduling::Caller>>& now();

 private:
  const RolesInForce* roles_ = nullptr;
  PeerIdentity identity_;
  std::uint64_t version_ = 0;
  Result<std::shared_ptr<const scheduling::Caller>> caller_ = std::shared_ptr<const scheduling::Caller>();
};

}  // namespace gantry::transport
