// SPDX-License-Identifier: Apache-2.0
//
// The transport URLs of oslo.messaging: rabbit://user:p%40ss@h1:5672,user:pass@h2:5671/vhost?ssl=1
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::config::nova {

struct Broker {
  std::string host;  // a name or an address, IPv6 without brackets
  std::uint16_t port = 5672;
  std::string user = "guest";
  std::string password = "guest";
};

struct TransportUrl {
  std::vector<Broker> brokers;  // at least one
  std::string vhost = "/";
  std::map<std::string, std::string, std::less<>> options;  // the query: options that overrule the configuration's
};

// Reads a URL as oslo.messaging does. An error never shows the URL, because of its passwords.
Result<TransportUrl> parse_transport_url(std::string_view text);

// Returns "h1:5672" or "[::1]:5672", for messages.
std::string address_of(const Broker& broker);

}  // namespace gantry::config::nova
