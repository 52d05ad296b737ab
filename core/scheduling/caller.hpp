// SPDX-License-Identifier: Apache-2.0
//
// Who calls, as far as access goes: the role and, of an agent or a service, what it speaks for.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

enum class Role {
  reader,   // what changes nothing
  service,  // the scheduling methods, and everything on its own topics
  agent,    // reports and casts of its own host
  admin,    // everything
};

// "reader" and so on.
std::string_view name_of(Role role);
std::optional<Role> role_from(std::string_view name);

struct Caller {
  Role role = Role::reader;
  std::string token_id;  // empty: trusted without a token
  std::string token_name;
  std::string host;                          // of an agent: the only one that it speaks for
  std::vector<std::string> topics;           // of a service: its own; of an agent: those that it serves, empty: any
  std::int64_t expires_at = 0;               // nanoseconds since 1970; 0: never
  mutable std::atomic<bool> revoked{false};  // also seen by calls that wait
};

}  // namespace gantry::scheduling
