// SPDX-License-Identifier: Apache-2.0
#include "core/config/socket_role.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry::config {

namespace {

constexpr std::array<std::string_view, 4> roles{"reader", "service", "agent", "admin"};

Error wrong(std::string_view text, std::string_view why) {
  return {ErrorCode::invalid_configuration,
          "expected user:NAME=ROLE, group:NAME=ROLE or other=ROLE with the role reader, admin, service/TOPIC,... or "
          "agent/HOST; " +
              std::string(why) + " in \"" + std::string(text) + "\"",
          {}};
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Reads what stands before the '=', and returns its place.
Result<std::size_t> read_who(std::string_view text, SocketRole& into) {
  constexpr std::string_view others = "other=";
  if (text.starts_with(others)) {
    into.who = SocketRole::Who::other;
    return others.size() - 1;
  }
  const auto colon = text.find(':');
  const auto equals = text.find('=', colon == std::string_view::npos ? 0 : colon);
  if (colon == std::string_view::npos || equals == std::string_view::npos) return wrong(text, "found no ':' and '='");
  const auto kind = text.substr(0, colon);
  if (kind != "user" && kind != "group") return wrong(text, "found neither user nor group");
  into.who = kind == "user" ? SocketRole::Who::user : SocketRole::Who::group;
  into.name = text.substr(colon + 1, equals - colon - 1);
  if (into.name.empty()) return wrong(text, "found no name");
  return equals;
}

}  // namespace

Result<SocketRole> parse_socket_role(std::string_view text) {
  SocketRole read;
  const auto equals = read_who(text, read);
  if (!equals) return equals.error();
  const auto role = text.substr(*equals + 1);
  const auto slash = std::min(role.find('/'), role.size());
  read.role = role.substr(0, slash);
  if (std::ranges::find(roles, read.role) == roles.end()) return wrong(text, "found no such role");
  read.scope = split(role.substr(std::min(slash + 1, role.size())));
  if (std::ranges::any_of(read.scope, [](const std::string& part) { return part.empty(); }))
    return wrong(text, "found an empty topic or host");
  if (read.role == "service" && read.scope.empty()) return wrong(text, "found a service without a topic");
  if (read.role == "agent" && read.scope.size() != 1) return wrong(text, "found an agent without its one host");
  if ((read.role == "reader" || read.role == "admin") && slash != role.size())
    return wrong(text, "found a '/' behind " + read.role);
  return read;
}

std::vector<std::string> warnings_of_socket_roles(const std::vector<std::string>& entries) {
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, SocketRole>> groups;
  for (const auto& text : entries) {
    const auto later = parse_socket_role(text);
    if (!later) continue;
    if (later->who != SocketRole::Who::user && later->role != "reader") {
      const auto differs = [&](const auto& group) {
        return group.second.role != later->role || group.second.scope != later->scope;
      };
      if (const auto found = std::ranges::find_if(groups, differs); found != groups.end()) {
        warnings.push_back("server.socket_roles: \"" + found->first + "\" holds nobody back from \"" + text +
                           "\": a process can leave its groups; expected users, found a group");
      }
    }
    if (later->who == SocketRole::Who::group) groups.emplace_back(text, *later);
  }
  return warnings;
}

}  // namespace gantry::config
