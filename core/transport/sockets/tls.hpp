// SPDX-License-Identifier: Apache-2.0
//
// The server's certificate and key, checked before use and replaced while the service runs.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <mutex>
#include <string>

#include "core/result.hpp"

namespace gantry::transport {

// [any thread]
class TlsCertificate {
 public:
  // Reads PEM files: a certificate chain, and its key. The key file must not be readable by all users. Allows TLS 1.2
  // and 1.3.
  static Result<std::shared_ptr<TlsCertificate>> load(const std::string& chain, const std::string& key);

  // Reads both files again. After an error the old certificate stays in use.
  Result<void> reload();
  // Uses the files of `other`, and what it has read from them.
  void become(const TlsCertificate& other);
  // Returns OpenSSL's context with the certificate in use, for a new connection.
  std::shared_ptr<boost::asio::ssl::context> context() const;
  // Returns the days until the certificate ends, rounded down. Negative if it has ended.
  int days_left() const;
  // Returns the path of the chain.
  std::string file() const;
  // "/etc/gantry/server.pem, until 2026-12-31, SHA-256 0123456789abcdef"
  std::string describe() const;

 private:
  struct Files {
    std::string chain;
    std::string key;
    bool operator==(const Files&) const = default;
  };
  explicit TlsCertificate(Files files) : files_(std::move(files)) {}

  mutable std::mutex mutex_;  // guards what follows
  Files files_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace gantry::transport
