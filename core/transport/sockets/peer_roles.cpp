// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/peer_roles.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

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

Error refused(std::string message) {
  return {ErrorCode::permission_denied, std::move(message), {}};
}

}  // namespace

Result<PeerRoles> PeerRoles::of(const std::vector<std::string>& entries) {
  PeerRoles roles;
  for (const auto& text : entries) {
    auto role = config::parse_socket_role(text);
    if (!role) return std::move(role).error().within("server.socket_roles");
    const auto id = role->who == SocketRole::Who::other ? Result<unsigned>(0) : id_of(*role);
    if (!id) return id.error();
    Entry entry{role->who, *id, *scheduling::role_from(role->role), {}, {}};
    if (entry.role == scheduling::Role::agent)
      entry.host = role->scope.front();
    else
      entry.topics = role->scope;
    roles.entries_.push_back(std::move(entry));
  }
  return roles;
}

Result<std::shared_ptr<const scheduling::Caller>> PeerRoles::caller_of(const PeerIdentity& identity) const {
  if (entries_.empty()) return std::shared_ptr<const scheduling::Caller>();
  if (!identity.is_known)
    return refused("a caller whose user and groups the kernel does not tell: server.socket_roles names nobody like it");
  const auto names = [&](const Entry& entry) {
    if (entry.who == SocketRole::Who::other) return false;
    if (entry.who == SocketRole::Who::user) return entry.id == identity.user;
    return entry.id == identity.group || std::ranges::find(identity.groups, entry.id) != identity.groups.end();
  };
  auto found = std::ranges::find_if(entries_, names);
  if (found == entries_.end()) {
    if (identity.user == 0 || identity.user == geteuid()) return std::shared_ptr<const scheduling::Caller>();
    found = std::ranges::find(entries_, SocketRole::Who::other, &Entry::who);
  }
  const auto uid = std::to_string(identity.user);
  if (found == entries_.end()) {
    return refused("user " + uid +
                   " may not call: expected a user, or a member of a group, that server.socket_roles names, or its "
                   "entry other=ROLE; found neither");
  }
  auto caller = std::make_shared<scheduling::Caller>();
  caller->role = found->role;
  caller->host = found->host;
  caller->topics = found->topics;
  caller->token_id = "uid:" + uid;
  caller->token_name = "server.socket_roles";
  return std::shared_ptr<const scheduling::Caller>(std::move(caller));
}

}  // namespace gantry::transport
