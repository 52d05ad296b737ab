// SPDX-License-Identifier: Apache-2.0
//
// The caller of a method as the access checks see it: its role, and the host or the topics that it speaks for.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

enum class Role {
  reader,   // may call the methods that change nothing
  service,  // may call the scheduling methods, too, and the methods about its own topics
  agent,    // may report for its own host and receive the casts of that host
  admin,    // may call every method
};

// Returns the role's name: "reader", "service", "agent" or "admin".
std::string_view name_of(Role role);
// Returns the role of that name. nullopt if no role has the name.
std::optional<Role> role_from(std::string_view name);

struct Caller {
  Role role = Role::reader;
  std::string token_id;  // empty: the caller is trusted without a token; "uid:1000": by server.socket_roles
  std::string token_name;
  std::string host;                 // the host that an agent reports for
  std::vector<std::string> topics;  // of a service: its own topics; of an agent: the topics it serves, empty: all
  std::int64_t expires_at = 0;      // nanoseconds since 1970; 0: never
  mutable std::atomic<bool> revoked{false};  // the token was revoked: long polls that wait get an error
};

}  // namespace gantry::scheduling
