// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/tls.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <span>

#include "core/encoding/sha256.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/mode_text.hpp"
#include "core/files/write_access.hpp"

namespace gantry::transport {

namespace {

namespace ssl = boost::asio::ssl;

Error refused(const std::string& key, const std::string& path, const std::string& fault) {
  return {ErrorCode::invalid_configuration, key + " '" + path + "': " + fault, ""};
}

Result<void> check_file(const std::string& key, const std::string& path, bool is_secret) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) {
    return refused(key, path, "expected a PEM file, found none: " + files::errno_text(errno));
  }
  if (!S_ISREG(found.st_mode)) return refused(key, path, "expected a PEM file, found no regular file");
  if (files::strangers_may_write(found, files::GroupWrite::ignored)) {
    return refused(key, path,
                   "expected that others may not write it, found mode " + files::mode_text(found.st_mode) +
                       "; run: chmod o-w " + path);
  }
  if (is_secret && (found.st_mode & 0007) != 0) {
    return refused(key, path,
                   "expected that others may not read it, found mode " + files::mode_text(found.st_mode) +
                       "; run: chmod o= " + path);
  }
  return {};
}

// Returns the reason of an error, and clears OpenSSL's queue of errors.
std::string reason(const boost::system::error_code& error) {
  ERR_clear_error();
  return error.message();
}

// TLS 1.2 only with fresh keys for each connection and authenticated encryption. TLS 1.3 has nothing else.
void set_strong_ciphers(SSL_CTX* context) {
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

// HTTP/1.1 is the only protocol on offer.
int choose_protocol(SSL* /*connection*/, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void* /*nothing*/) {
  static constexpr std::array<unsigned char, 9> http{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, http.data(), http.size(), offered, offered_size) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

Result<std::shared_ptr<ssl::context>> make_context(const std::string& chain, const std::string& key) {
  if (auto checked = check_file("server.tls_certificate", chain, false); !checked) return std::move(checked).error();
  if (auto checked = check_file("server.tls_key", key, true); !checked) return std::move(checked).error();
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const handle = context->native_handle();
  SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  SSL_CTX_set_options(handle, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  set_strong_ciphers(handle);
  SSL_CTX_set_alpn_select_cb(handle, choose_protocol, nullptr);
  // Without a callback OpenSSL asks for a passphrase on the terminal.
  boost::system::error_code error;
  context->set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); }, error);
  context->use_certificate_chain_file(chain, error);
  if (error)
    return refused("server.tls_certificate", chain, "expected a PEM certificate chain, found: " + reason(error));
  context->use_private_key_file(key, ssl::context::pem, error);
  if (error) {
    return refused("server.tls_key", key,
                   "expected the PEM private key of that certificate, without a passphrase; found: " + reason(error));
  }
  if (SSL_CTX_check_private_key(handle) != 1) {
    ERR_clear_error();
    return refused("server.tls_key", key, "expected the key of server.tls_certificate '" + chain + "', found another");
  }
  return context;
}

}  // namespace

Result<std::shared_ptr<TlsCertificate>> TlsCertificate::load(const std::string& chain, const std::string& key) {
  std::shared_ptr<TlsCertificate> made(new TlsCertificate({chain, key}));
  if (auto loaded = made->reload(); !loaded) return std::move(loaded).error();
  return made;
}

Result<void> TlsCertificate::reload() {
  const auto files = [this] {
    const std::lock_guard lock(mutex_);
    return files_;
  }();
  auto context = make_context(files.chain, files.key);
  if (!context) return std::move(context).error();
  const std::lock_guard lock(mutex_);
  if (files == files_) context_ = *std::move(context);
  return {};
}

void TlsCertificate::become(const TlsCertificate& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  files_ = other.files_;
  context_ = other.context_;
}

std::shared_ptr<boost::asio::ssl::context> TlsCertificate::context() const {
  const std::lock_guard lock(mutex_);
  return context_;
}

int TlsCertificate::days_left() const {
  const auto current = context();
  const X509* certificate = SSL_CTX_get0_certificate(current->native_handle());
  int days = 0;
  int seconds = 0;
  if (certificate == nullptr || ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(certificate)) != 1)
    return 0;
  return seconds < 0 ? days - 1 : days;
}

std::string TlsCertificate::file() const {
  const std::lock_guard lock(mutex_);
  return files_.chain;
}

std::string TlsCertificate::describe() const {
  const std::lock_guard lock(mutex_);
  const X509* certificate = SSL_CTX_get0_certificate(context_->native_handle());
  std::tm end{};
  std::array<char, sizeof "2026-12-31"> date{};
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  constexpr std::size_t shown = 8;
  if (certificate == nullptr || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1 ||
      std::strftime(date.data(), date.size(), "%Y-%m-%d", &end) == 0 ||
      X509_digest(certificate, EVP_sha256(), digest.data(), nullptr) != 1)
    return files_.chain;
  return files_.chain + ", until " + date.data() + ", SHA-256 " +
         to_hexadecimal(std::as_bytes(std::span(digest).first(shown)));
}

}  // namespace gantry::transport
