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
  service,  // also the scheduling methods, and the methods about its own topics
  agent,    // may report for its own host and receive the casts of that host
  admin,    // may call every method
};

// "reader" and so on.
std::string_view name_of(Role role);
std::optional<Role> role_from(std::string_view name);

struct Caller {
  Role role = Role::reader;
  std::string token_id;  // empty: trusted without a token
  std::string token_name;
  std::string host;                          // of an agent: its own host
  std::vector<std::string> topics;           // of a service: its own; of an agent: the ones it serves, empty: all
  std::int64_t expires_at = 0;               // nanoseconds since 1970; 0: never
  mutable std::atomic<bool> revoked{false};  // long polls look at it before they are answered
};

}  // namespace gantry::scheduling
