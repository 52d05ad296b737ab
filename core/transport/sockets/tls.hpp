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
  // Returns OpenSSL's context with the certificate in use, for a new connection.
  std::shared_ptr<boost::asio::ssl::context> context() const;
  // Returns the days until the certificate ends, rounded down. Negative if it has ended.
  int days_left() const;

 private:
  TlsCertificate(std::string chain, std::string key) : chain_(std::move(chain)), key_(std::move(key)) {}

  std::string chain_;
  std::string key_;
  mutable std::mutex mutex_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace gantry::transport
