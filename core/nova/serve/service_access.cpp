// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/service_access.hpp"

#include <utility>

#include "core/nova/http/keystone_login.hpp"
#include "core/transport/sockets/tls_client.hpp"

namespace gantry::nova {

namespace {

Error unusable(const std::string& section, const std::string& option, const std::string& expected) {
  return {ErrorCode::invalid_configuration, section + " " + option + ": " + expected, {}};
}

KeystoneOptions keystone_options(const config::NovaServiceSettings& settings, const std::string& type,
                                 const HttpClientOptions& http) {
  KeystoneOptions options;
  options.user.user = {settings.username, {}};
  options.user.user_domain = {settings.user_domain_name, settings.user_domain_id};
  options.user.password = settings.password;
  options.user.project = {settings.project_name, settings.project_id};
  options.user.project_domain = {settings.project_domain_name, settings.project_domain_id};
  options.service.type = type;
  options.service.interfaces = settings.valid_interfaces;
  options.service.region = settings.region_name;
  options.service.endpoint_override = settings.endpoint_override;
  options.http = http;
  return options;
}

}  // namespace

Result<ServiceSetup> set_up_service(const config::NovaServiceSettings& settings, const std::string& section,
                                    const std::string& type, std::size_t connections, const Strand& strand,
                                    Timers& timers) {
  ServiceSetup setup;
  setup.http.connections = connections;
  auto tls = transport::tls_client_context({settings.cafile, settings.certfile, settings.keyfile, !settings.insecure});
  if (!tls) return std::move(tls).error().within(section);
  setup.http.tls = *std::move(tls);
  if (settings.auth_type == "none" || settings.auth_type == "noauth") {
    if (settings.endpoint_override.empty())
      return unusable(section, "endpoint_override", "expected a URL beside auth_type = " + settings.auth_type);
    setup.login = std::make_unique<StaticLogin>(ServiceAccess{settings.endpoint_override, "admin"});
    return setup;
  }
  auto keystone = parse_http_address(settings.auth_url);
  if (!keystone) return unusable(section, "auth_url", keystone.error().message);
  setup.login = std::make_unique<KeystoneLogin>(strand, timers, *std::move(keystone),
                                                keystone_options(settings, type, setup.http));
  return setup;
}

}  // namespace gantry::nova
