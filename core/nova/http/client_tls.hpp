// SPDX-License-Identifier: Apache-2.0
//
// The TLS of a client: which certificates of servers it accepts, and its own certificate.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "core/result.hpp"

namespace gantry::nova {

struct ClientTlsFiles {
  std::string authorities = {};  // PEM. Empty: the authorities of the system
  std::string certificate = {};  // PEM. Empty: none is shown
  std::string key = {};          // PEM. Empty: in the file of the certificate
  bool verifies = true;          // false: any certificate is accepted
};

// TLS 1.2 or later. The name of the server is verified for each connection.
Result<std::shared_ptr<boost::asio::ssl::context>> make_client_tls(const ClientTlsFiles& files);

}  // namespace gantry::nova
