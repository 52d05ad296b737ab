// SPDX-License-Identifier: Apache-2.0
//
// The process at the other end of a connection to the unix socket.
#pragma once

#include <sys/types.h>

#include <vector>

namespace gantry::transport {

// The user and the groups of a process, as they were when it connected.
struct PeerIdentity {
  bool is_known = false;  // false: the kernel does not tell the user, or not the groups
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups;  // the supplementary ones
};

PeerIdentity identity_of(int connection);

}  // namespace gantry::transport
