// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/tls_client.hpp"

#include <openssl/err.h>

#include <utility>

namespace gantry::transport {

namespace {

Result<void> checked(const boost::system::error_code& error, const std::string& what, const std::string& path) {
  if (!error) return {};
  ERR_clear_error();
  return Error{ErrorCode::invalid_configuration, what + " '" + path + "': " + error.message(), ""};
}

}  // namespace

TlsClient::TlsClient(bool checks_host) : checks_host_(checks_host), context_(boost::asio::ssl::context::tls_client) {}

Result<std::shared_ptr<TlsClient>> TlsClient::load(const TlsClientSettings& settings) {
  const std::shared_ptr<TlsClient> client(new TlsClient(settings.checks_host));
  auto& context = client->context_;
  boost::system::error_code error;
  context.set_options(boost::asio::ssl::context::no_tlsv1 | boost::asio::ssl::context::no_tlsv1_1, error);
  if (!settings.authorities.empty()) {
    context.load_verify_file(settings.authorities, error);
    if (auto good = checked(error, "the authorities' file", settings.authorities); !good) return good.error();
  }
  context.set_verify_mode(settings.authorities.empty() ? boost::asio::ssl::verify_none : boost::asio::ssl::verify_peer,
                          error);
  if (!settings.certificate.empty()) {
    context.use_certificate_chain_file(settings.certificate, error);
    if (auto good = checked(error, "the client's certificate", settings.certificate); !good) return good.error();
  }
  if (!settings.key.empty()) {
    context.use_private_key_file(settings.key, boost::asio::ssl::context::pem, error);
    if (auto good = checked(error, "the client's key", settings.key); !good) return good.error();
  }
  return client;
}

std::unique_ptr<ByteStream> TlsClient::stream_to(const std::string& host, StreamSocket socket) {
  return ByteStream::tls_to(host, checks_host_, std::move(socket), context_);
}

}  // namespace gantry::transport
