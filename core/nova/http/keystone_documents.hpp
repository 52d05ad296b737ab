// SPDX-License-Identifier: Apache-2.0
//
// The question to Keystone's version 3 for a token by password, and the answer.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::nova {

// A name or an id. The id counts if both are given.
struct KeystoneName {
  std::string name;
  std::string id;
};

struct KeystoneUser {
  KeystoneName user;
  KeystoneName user_domain;  // the domain of the user's name
  std::string password;      // a secret
  KeystoneName project;
  KeystoneName project_domain;  // the domain of the project's name
};

// Which endpoint of the catalogue.
struct KeystoneService {
  std::string type = "placement";
  std::vector<std::string> interfaces{"internal", "public"};  // the first that the service has
  std::string region;                                         // empty: any
  std::string endpoint_override;                              // a URL in place of the catalogue's; empty: none
};

struct KeystoneToken {
  std::string endpoint;
  std::chrono::nanoseconds life{};  // from its issue to its end
};

// The path below the auth_url: with "/v3" unless the URL has it.
std::string keystone_tokens_path(std::string_view auth_path);
std::string keystone_question(const KeystoneUser& user);
// Reads the body of an answer 201. The token itself stands in a header.
Result<KeystoneToken> read_keystone_token(std::string_view body, const KeystoneService& service);

}  // namespace gantry::nova
