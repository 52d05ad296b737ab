// SPDX-License-Identifier: Apache-2.0
//
// The access tokens. Callers over TCP show one; over the unix socket the permissions of the socket decide. The client
// makes the token, a random text of 256 bits, and sends its SHA-256. Only the hash is stored: one round of SHA-256 is
// enough for a random text.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/caller.hpp"

namespace gantry::scheduling {

struct AccessToken {
  std::string id;      // the first twelve digits of the hash
  std::string sha256;  // 64 lower-case hexadecimal digits
  std::string name;
  Role role = Role::reader;
  std::string host;
  std::vector<std::string> topics;
  std::int64_t created_at = 0;  // nanoseconds since 1970
  std::int64_t expires_at = 0;  // 0: never
};

// The stored form.
json::object to_json(const AccessToken& token, const json::storage_ptr& memory = {});
Result<AccessToken> token_from_json(const json::object& document);
// The token as callers see it, without the hash.
json::object shown(const AccessToken& token, std::int64_t now);

// [any thread]
class AccessTokens {
 public:
  // Adds a token, or replaces the one of the same id.
  void put(const AccessToken& token);
  // Removes a token. From now on calls with it are answered unauthenticated, also those that already wait.
  void remove(std::string_view id);
  std::optional<AccessToken> find(std::string_view id) const;
  std::vector<AccessToken> list() const;  // by id

  // The caller of a token. Error unauthenticated if the token is unknown, revoked or expired.
  Result<std::shared_ptr<const Caller>> authenticate(std::string_view token, std::int64_t now) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, AccessToken, std::less<>> tokens_;
  std::unordered_map<std::string, std::shared_ptr<const Caller>> callers_;  // by hash
};

}  // namespace gantry::scheduling
