// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/peer_caller.hpp"

#include <utility>

namespace gantry::transport {

void RolesInForce::replace(PeerRoles roles) {
  const std::lock_guard lock(mutex_);
  roles_ = std::move(roles);
  version_.fetch_add(1, std::memory_order_release);
}

Result<std::shared_ptr<const scheduling::Caller>> RolesInForce::caller_of(const PeerIdentity& identity) const {
  const std::lock_guard lock(mutex_);
  return roles_.caller_of(identity);
}

// The version is read first: a change in between is seen by the next request.
const Result<std::shared_ptr<const scheduling::Caller>>& PeerCaller::now() {
  if (roles_ == nullptr) return caller_;
  if (const auto version = roles_->version(); version != version_) {
    caller_ = roles_->caller_of(identity_);
    version_ = version;
  }
  return caller_;
}

}  // namespace gantry::transport
