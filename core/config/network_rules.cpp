// SPDX-License-Identifier: Apache-2.0
#include "core/config/network_rules.hpp"

#include "core/config/listen_address.hpp"
#include "core/config/socket_role.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config {

namespace {

void check_reachable_address(const std::string& text, const Settings::Server& server, NetworkFindings& findings) {
  const std::string why = to_toml(std::string_view(text)) + " can be reached from other machines: expected ";
  if (server.tls_certificate.empty())
    findings.problems.push_back({"server.listen", why + "server.tls_certificate and server.tls_key, found neither"});
  if (!server.require_tokens)
    findings.problems.push_back({"server.require_tokens", why + "server.require_tokens = true, found false"});
}

}  // namespace

NetworkFindings check_network(const Settings::Server& server) {
  NetworkFindings findings;
  findings.warnings = warnings_of_socket_roles(server.socket_roles);
  if (server.tls_certificate.empty() != server.tls_key.empty()) {
    const bool has_key = server.tls_certificate.empty();
    findings.problems.push_back({has_key ? "server.tls_key" : "server.tls_certificate",
                                 std::string("expected the other one with it, server.tls_") +
                                     (has_key ? "certificate" : "key") + ", found it empty"});
    return findings;
  }
  for (const auto& text : server.listen) {
    const auto address = parse_listen_address(text);
    if (address && !address->is_loopback) check_reachable_address(text, server, findings);
  }
  if (!findings.problems.empty()) return findings;
  if (server.listen.empty() && !server.tls_certificate.empty())
    findings.warnings.emplace_back("server.tls_certificate has no effect: server.listen names no address");
  if (!server.listen.empty() && !server.require_tokens)
    findings.warnings.emplace_back("server.require_tokens = false: every user of this machine may do everything");
  return findings;
}

}  // namespace gantry::config
