// SPDX-License-Identifier: Apache-2.0
//
// The access tokens. A caller over TCP shows a token. Over the unix socket the permissions of the socket decide. The
// client that registers a token makes the token itself, a random text of 256 bits, and sends only its SHA-256. The
// service stores this hash. One round of SHA-256 is enough for a random text.
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

// The record of a token.
struct AccessToken {
  std::string id;      // the first twelve digits of the hash
  std::string sha256;  // 64 lower-case hexadecimal digits
  std::string name;
  Role role = Role::reader;
  std::string host;                 // as in Caller
  std::vector<std::string> topics;  // as in Caller
  std::int64_t created_at = 0;      // nanoseconds since 1970
  std::int64_t expires_at = 0;      // nanoseconds since 1970; 0: never
};

// Returns the record's stored form.
json::object to_json(const AccessToken& token, const json::storage_ptr& memory = {});
// Reads the stored form. Error `internal` if the role or the hash is missing.
Result<AccessToken> token_from_json(const json::object& document);
// Returns the record as callers see it, without the hash. `now` decides whether the token is shown as expired.
json::object shown(const AccessToken& token, std::int64_t now);

// [any thread]
class AccessTokens {
 public:
  // Adds a token, or replaces the token with the same id.
  void put(const AccessToken& token);
  // Removes a token. From now on calls with the token are answered unauthenticated, and so are long polls that already
  // wait.
  void remove(std::string_view id);
  std::optional<AccessToken> find(std::string_view id) const;
  std::vector<AccessToken> list() const;  // sorted by id
  std::size_t size() const;

  // Returns the caller that a token belongs to. Error unauthenticated if the token is unknown, revoked or expired.
  Result<std::shared_ptr<const Caller>> authenticate(std::string_view token, std::int64_t now) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, AccessToken, std::less<>> tokens_;
  std::unordered_map<std::string, std::shared_ptr<const Caller>> callers_;  // by the token's SHA-256
};

}  // namespace gantry::scheduling
