// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/broker_connections.hpp"

#include <unistd.h>

#include <utility>

#include "core/transport/sockets/tls_client.hpp"

namespace gantry::nova {

namespace {

Result<std::shared_ptr<transport::TlsClient>> tls_of(const RpcServerSettings& settings) {
  if (!settings.ssl) return std::shared_ptr<transport::TlsClient>();
  transport::TlsClientFiles files;
  files.authorities = settings.ssl_ca_file;
  files.certificate = settings.ssl_cert_file;
  files.key = settings.ssl_key_file;
  files.verifies = !files.authorities.empty();
  auto loaded = transport::TlsClient::load(files, files.verifies && settings.ssl_enforce_hostname_verification);
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
    made.login.is_external = settings.rabbit_login_method == "EXTERNAL";
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
