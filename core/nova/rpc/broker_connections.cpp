// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/broker_connections.hpp"

#include <unistd.h>

#include <utility>

#include "core/transport/sockets/tls_client.hpp"

namespace gantry::nova {

namespace {

// Options of the URL overrule the ones of the configuration.
std::string option_of(const amqp::TransportUrl& url, std::string_view name, const std::string& otherwise) {
  const auto found = url.options.find(name);
  return found == url.options.end() ? otherwise : found->second;
}

Result<std::shared_ptr<transport::TlsClient>> tls_of(const RpcServerSettings& settings) {
  const auto& url = settings.url;
  if (!url.is_tls(settings.ssl)) return std::shared_ptr<transport::TlsClient>();
  transport::TlsClientFiles files;
  files.authorities = option_of(url, "ssl_ca_file", settings.ssl_ca_file);
  files.certificate = option_of(url, "ssl_cert_file", settings.ssl_cert_file);
  files.key = option_of(url, "ssl_key_file", settings.ssl_key_file);
  files.verifies = !files.authorities.empty();
  auto loaded = transport::TlsClient::load(files, false);
  if (!loaded) return std::move(loaded).error().within("oslo_messaging_rabbit");
  return loaded;
}

}  // namespace

Result<std::vector<amqp::ConnectionSettings>> broker_connections(const RpcServerSettings& settings) {
  const auto tls = tls_of(settings);
  if (!tls) return tls.error();
  std::vector<amqp::ConnectionSettings> connections;
  for (const auto& broker : settings.url.brokers) {
    amqp::ConnectionSettings made;
    made.host = broker.host;
    made.port = broker.port;
    made.tls = *tls;
    made.login.is_external = option_of(settings.url, "rabbit_login_method", settings.rabbit_login_method) == "EXTERNAL";
    made.login.user = broker.user;
    made.login.password = broker.password;
    made.login.vhost = settings.url.vhost;
    made.login.connection_name = "gantryd:" + std::to_string(::getpid()) + ":" + settings.host;
    made.limits.heartbeat = settings.heartbeat;
    connections.push_back(std::move(made));
  }
  return connections;
}

}  // namespace gantry::nova
