// SPDX-License-Identifier: Apache-2.0
//
// The server's certificate and key, checked before they are used and exchanged while the service runs.
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
  // PEM files: a certificate chain and its key, which others may not read. TLS 1.2 and 1.3.
  static Result<std::shared_ptr<TlsCertificate>> load(const std::string& chain, const std::string& key);

  // Reads both files anew; after an error the old ones go on.
  Result<void> reload();
  // For a new connection.
  std::shared_ptr<boost::asio::ssl::context> context() const;
  // Days until the certificate ends, rounded down; negative: it has ended.
  int days_left() const;

 private:
  TlsCertificate(std::string chain, std::string key) : chain_(std::move(chain)), key_(std::move(key)) {}

  std::string chain_;
  std::string key_;
  mutable std::mutex mutex_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace gantry::transport
