// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/configured_login.hpp"

#include <algorithm>
#include <utility>

#include "core/nova/http/keystone_login.hpp"
#include "core/transport/sockets/tls_client.hpp"

namespace gantry::nova {

namespace {

// A user who may do everything, for placement's noauth2.
constexpr const char* static_token = "admin";

Error refused_option(const std::string& section, const std::string& option, const std::string& expected,
                     const std::string& found) {
  return {ErrorCode::invalid_configuration,
          "[" + section + "] " + option + ": expected " + expected + ", found " + (found.empty() ? "none" : found), ""};
}

KeystoneUser user_of(const config::NovaServiceSettings& settings) {
  return {{settings.username, ""},
          {settings.user_domain_name, settings.user_domain_id},
          settings.password,
          {settings.project_name, settings.project_id},
          {settings.project_domain_name, settings.project_domain_id}};
}

}  // namespace

Result<ConfiguredLogin> configured_login(const Strand& strand, Timers& timers,
                                         const config::NovaServiceSettings& settings, const std::string& section,
                                         const std::string& type) {
  ConfiguredLogin made;
  auto tls = transport::tls_client_context({settings.cafile, settings.certfile, settings.keyfile, !settings.insecure});
  if (!tls) return std::move(tls).error().within("[" + section + "]");
  made.http.tls = *std::move(tls);
  const auto& kind = settings.auth_type;
  if (!settings.endpoint_override.empty()) {
    if (auto address = parse_http_address(settings.endpoint_override); !address)
      return std::move(address).error().within("[" + section + "] endpoint_override");
  }
  if (kind == "none" || kind == "noauth" || kind == "admin_token") {
    if (settings.endpoint_override.empty())
      return refused_option(section, "endpoint_override", "the service's URL, as auth_type is " + kind, "");
    made.login = std::make_unique<StaticLogin>(
        ServiceAccess{settings.endpoint_override, kind == "admin_token" ? settings.token : std::string(static_token)});
    return made;
  }
  if (kind != "password" && kind != "v3password")
    return refused_option(section, "auth_type", "password, v3password, none, noauth or admin_token", kind);
  if (settings.auth_url.empty()) return refused_option(section, "auth_url", "Keystone's URL", "");
  auto keystone = parse_http_address(settings.auth_url);
  if (!keystone) return std::move(keystone).error().within("[" + section + "] auth_url");
  KeystoneOptions options;
  options.user = user_of(settings);
  options.service = {settings.service_type.empty() ? type : settings.service_type, settings.valid_interfaces,
                     settings.region_name, settings.endpoint_override};
  options.timeout = std::min<std::chrono::milliseconds>(options.timeout, settings.timeout);
  options.http = made.http;
  made.login = std::make_unique<KeystoneLogin>(strand, timers, *std::move(keystone), std::move(options));
  return made;
}

}  // namespace gantry::nova
