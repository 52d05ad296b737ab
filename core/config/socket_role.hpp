// SPDX-License-Identifier: Apache-2.0
//
// An entry of server.socket_roles: the role of those who call over the unix socket.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::config {

struct SocketRole {
  enum class Who { user, group, other };
  Who who = Who::user;
  std::string name;                // the name of the user or group; empty for the others
  std::string role;                // reader, service, agent or admin
  std::vector<std::string> scope;  // a service's topics, an agent's one host; empty for other roles
};

// Reads "user:nagios=reader", "group:cinder=service/volume", "user:gantry-agent=agent/node1" or "other=reader".
Result<SocketRole> parse_socket_role(std::string_view text);

// Returns a warning for each group that is held to a role by an entry before one that gives more: a process can leave
// its groups. Passes over entries that cannot be read.
std::vector<std::string> warnings_of_socket_roles(const std::vector<std::string>& entries);

}  // namespace gantry::config
