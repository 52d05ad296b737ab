// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/peer_roles.hpp"

#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <optional>

#include "core/config/socket_role.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::transport {

namespace {

using config::SocketRole;

Result<unsigned> id_of(const SocketRole& role) {
  std::vector<char> scratch(1 << 16);
  int why = 0;
  if (role.who == SocketRole::Who::user) {
    passwd entry{};
    passwd* found = nullptr;
    why = getpwnam_r(role.name.c_str(), &entry, scratch.data(), scratch.size(), &found);
    if (found != nullptr) return static_cast<unsigned>(entry.pw_uid);
  } else {
    group entry{};
    group* found = nullptr;
    why = getgrnam_r(role.name.c_str(), &entry, scratch.data(), scratch.size(), &found);
    if (found != nullptr) return static_cast<unsigned>(entry.gr_gid);
  }
  return Error{ErrorCode::invalid_configuration,
               "server.socket_roles: expected a " + std::string(role.who == SocketRole::Who::user ? "user" : "group") +
                   " of this system, found '" + role.name + "'" +
                   (why == 0 ? std::string() : ": " + files::errno_text(why)),
               {}};
}

}  // namespace

Result<PeerRoles> PeerRoles::of(const std::vector<std::string>& entries) {
  PeerRoles roles;
  for (const auto& text : entries) {
    auto role = config::parse_socket_role(text);
    if (!role) return std::move(role).error().within("server.socket_roles");
    const auto id = id_of(*role);
    if (!id) return id.error();
    Entry entry{role->who == SocketRole::Who::user, *id, *scheduling::role_from(role->role), {}, {}};
    if (entry.role == scheduling::Role::agent)
      entry.host = role->scope.front();
    else
      entry.topics = role->scope;
    roles.entries_.push_back(std::move(entry));
  }
  return roles;
}

std::shared_ptr<const scheduling::Caller> PeerRoles::caller_of(const PeerIdentity& identity) const {
  if (entries_.empty()) return nullptr;
  auto caller = std::make_shared<scheduling::Caller>();
  caller->token_id = "uid:unknown";
  // A peer that the kernel does not name gets the least role.
  if (!identity.is_known) return caller;
  const auto names = [&](const Entry& entry) {
    if (entry.is_user) return entry.id == identity.user;
    return entry.id == identity.group || std::ranges::find(identity.groups, entry.id) != identity.groups.end();
  };
  const auto found = std::ranges::find_if(entries_, names);
  if (found == entries_.end()) return nullptr;
  caller->role = found->role;
  caller->host = found->host;
  caller->topics = found->topics;
  caller->token_id = "uid:" + std::to_string(identity.user);
  caller->token_name = "server.socket_roles";
  return caller;
}

}  // namespace gantry::transport
