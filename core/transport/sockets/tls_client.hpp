// SPDX-License-Identifier: Apache-2.0
//
// The TLS of a client: which certificates of servers it accepts, and its own certificate.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "core/transport/sockets/byte_stream.hpp"

namespace gantry::transport {

struct TlsClientFiles {
  std::string authorities = {};  // PEM. Empty: the authorities of the system
  std::string certificate = {};  // PEM. Empty: the client shows none
  std::string key = {};          // PEM. Empty: in the file of the certificate
  bool verifies = true;          // false: the client accepts any certificate
};

// Returns a context for TLS 1.2 or later, which verifies the server's chain. The caller verifies the server's name for
// each connection. Error invalid_configuration: names the file that is not usable.
Result<std::shared_ptr<boost::asio::ssl::context>> tls_client_context(const TlsClientFiles& files);

// Makes streams with this context. [any thread]
class TlsClient {
 public:
  // `checks_host`: the certificate must be for the host that was asked for.
  static Result<std::shared_ptr<TlsClient>> load(const TlsClientFiles& files, bool checks_host);

  // Returns a stream that shakes hands as a client of `host`. nullptr: `host` cannot be a name.
  std::unique_ptr<ByteStream> stream_to(const std::string& host, StreamSocket socket);

 private:
  TlsClient(std::shared_ptr<boost::asio::ssl::context> context, bool checks_host);

  const std::shared_ptr<boost::asio::ssl::context> context_;
  const bool checks_host_;
};

}  // namespace gantry::transport
