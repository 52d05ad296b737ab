// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/tls_client.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <utility>

namespace gantry::transport {

namespace {

namespace ssl = boost::asio::ssl;

Error not_usable(const std::string& file, const std::string& expected, const boost::system::error_code& error) {
  ERR_clear_error();
  return {ErrorCode::invalid_configuration, "'" + file + "': expected " + expected + ", found: " + error.message(), ""};
}

}  // namespace

Result<std::shared_ptr<ssl::context>> tls_client_context(const TlsClientFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  boost::system::error_code error;
  context->set_verify_mode(files.verifies ? ssl::verify_peer : ssl::verify_none, error);
  // Without a callback OpenSSL asks for a passphrase on the terminal.
  context->set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); }, error);
  if (files.authorities.empty())
    context->set_default_verify_paths(error);
  else
    context->load_verify_file(files.authorities, error);
  if (error && files.verifies) return not_usable(files.authorities, "PEM certificates of authorities", error);
  if (files.certificate.empty()) return context;
  context->use_certificate_chain_file(files.certificate, error);
  if (error) return not_usable(files.certificate, "a PEM certificate chain", error);
  const std::string& key = files.key.empty() ? files.certificate : files.key;
  context->use_private_key_file(key, ssl::context::pem, error);
  if (error) return not_usable(key, "the PEM private key of the certificate, without a passphrase", error);
  return context;
}

TlsClient::TlsClient(std::shared_ptr<boost::asio::ssl::context> context, bool checks_host)
    : context_(std::move(context)), checks_host_(checks_host) {}

Result<std::shared_ptr<TlsClient>> TlsClient::load(const TlsClientFiles& files, bool checks_host) {
  auto context = tls_client_context(files);
  if (!context) return std::move(context).error();
  return std::shared_ptr<TlsClient>(new TlsClient(*std::move(context), checks_host));
}

std::unique_ptr<ByteStream> TlsClient::stream_to(const std::string& host, StreamSocket socket) {
  return ByteStream::tls_to(host, checks_host_, std::move(socket), *context_);
}

}  // namespace gantry::transport
