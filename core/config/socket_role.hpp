// SPDX-License-Identifier: Apache-2.0
//
// An entry of server.socket_roles: the role of a user or group that calls over the unix socket.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::config {

struct SocketRole {
  enum class Who { user, group };
  Who who = Who::user;
  std::string name;                // the name of the user or group
  std::string role;                // reader, service, agent or admin
  std::vector<std::string> scope;  // a service's topics, an agent's one host; empty for other roles
};

// Reads "user:nagios=reader", "group:cinder=service/volume" or "user:gantry-agent=agent/node1".
Result<SocketRole> parse_socket_role(std::string_view text);

}  // namespace gantry::config
