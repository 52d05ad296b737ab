// SPDX-License-Identifier: Apache-2.0
//
// The address of a server, as the URL of an endpoint gives it.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::nova {

struct HttpAddress {
  bool is_tls = false;
  std::string host;  // a name or a number, IPv6 without brackets
  std::string port;
  std::string path;  // in front of every target, without a slash at its end; often empty

  // The value of the header Host: without the port if it is the scheme's own.
  std::string host_header() const;
  bool operator==(const HttpAddress&) const = default;
};

// Reads "http://host[:port][/path]", or https. Refuses user names, queries and fragments.
Result<HttpAddress> parse_http_address(std::string_view url);

// Returns the text as one part of a path or query: each byte but ASCII letters, digits and hyphens percent-encoded.
std::string part_of_target(std::string_view text);

}  // namespace gantry::nova
