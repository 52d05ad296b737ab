// SPDX-License-Identifier: Apache-2.0
//
// A client's settings for TLS: the authorities that it trusts, and the certificate that it shows.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "core/transport/sockets/byte_stream.hpp"

namespace gantry::transport {

struct TlsClientSettings {
  std::string authorities;  // a PEM file; empty: the server's certificate is not checked
  std::string certificate;  // PEM files of the client's own certificate and key; empty: none
  std::string key;
  bool checks_host = false;  // the certificate must also be for the host that was asked for
};

// [any thread]
class TlsClient {
 public:
  static Result<std::shared_ptr<TlsClient>> load(const TlsClientSettings& settings);

  // Returns a stream that shakes hands as a client of `host`. nullptr: `host` cannot be a name.
  std::unique_ptr<ByteStream> stream_to(const std::string& host, StreamSocket socket);

 private:
  explicit TlsClient(bool checks_host);

  const bool checks_host_;
  boost::asio::ssl::context context_;
};

}  // namespace gantry::transport
