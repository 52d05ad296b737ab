// SPDX-License-Identifier: Apache-2.0
//
// The access token of a client, and the authorities that may sign the daemon's certificate.
#pragma once

#include <string>

namespace gantry::client_library {

struct Credentials {
  std::string token;    // empty: none
  std::string ca_file;  // PEM; empty: the system's authorities
  std::string fault;    // the reason why these cannot be used; each call fails with it
};

// Returns the given values. The defaults are $GANTRY_TOKEN, the content of $GANTRY_TOKEN_FILE, and $GANTRY_CA_FILE.
Credentials find_credentials(const std::string& token, const std::string& token_file, const std::string& ca_file);

}  // namespace gantry::client_library
