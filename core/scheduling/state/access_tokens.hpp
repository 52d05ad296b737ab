// SPDX-License-Identifier: Apache-2.0
//
// The access tokens: who may call from where the socket's permissions do not tell. Kept as hashes; a token itself is
// made by whoever asks for it and is never stored. It is a random text of 256 bits, so one round of SHA-256 is enough.
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

json::object to_json(const AccessToken& token, const json::storage_ptr& memory = {});
Result<AccessToken> token_from_json(const json::object& document);
// What callers may see of it: all but the hash.
json::object shown(const AccessToken& token, std::int64_t now);

// [any thread]
class AccessTokens {
 public:
  // The same token again replaces itself.
  void put(const AccessToken& token);
  // Calls of its bearer end unauthenticated from now on, those that wait included.
  void remove(std::string_view id);
  std::optional<AccessToken> find(std::string_view id) const;
  std::vector<AccessToken> list() const;  // by id

  // Whose token it is; unauthenticated where it is nobody's, or not any more.
  Result<std::shared_ptr<const Caller>> authenticate(std::string_view token, std::int64_t now) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, AccessToken, std::less<>> tokens_;
  std::unordered_map<std::string, std::shared_ptr<const Caller>> callers_;  // by hash
};

}  // namespace gantry::scheduling
