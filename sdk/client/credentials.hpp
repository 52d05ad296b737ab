// SPDX-License-Identifier: Apache-2.0
//
// What a client shows of itself and whom it trusts: its access token and the authorities of the daemon's certificate.
#pragma once

#include <string>

namespace gantry::client_library {

struct Credentials {
  std::string token;    // empty: none
  std::string ca_file;  // PEM; empty: the system's authorities
  std::string fault;    // why they cannot be used; each call fails with it
};

// What is given; else $GANTRY_TOKEN, or the content of $GANTRY_TOKEN_FILE, and $GANTRY_CA_FILE.
Credentials find_credentials(const std::string& token, const std::string& token_file, const std::string& ca_file);

}  // namespace gantry::client_library
