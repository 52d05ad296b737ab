// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/access_tokens.hpp"

#include <algorithm>

#include "core/encoding/sha256.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Error unauthenticated(std::string why) {
  return {ErrorCode::unauthenticated, std::move(why), {}};
}

std::shared_ptr<const Caller> caller_of(const AccessToken& token) {
  auto caller = std::make_shared<Caller>();
  caller->role = token.role;
  caller->token_id = token.id;
  caller->token_name = token.name;
  caller->host = token.host;
  caller->topics = token.topics;
  caller->expires_at = token.expires_at;
  return caller;
}

}  // namespace

json::object to_json(const AccessToken& token, const json::storage_ptr& memory) {
  json::array topics(token.topics.begin(), token.topics.end(), memory);
  return json::object({{"id", token.id},
                       {"sha256", token.sha256},
                       {"name", token.name},
                       {"role", name_of(token.role)},
                       {"host", token.host},
                       {"topics", std::move(topics)},
                       {"created_at", token.created_at},
                       {"expires_at", token.expires_at}},
                      memory);
}

Result<AccessToken> token_from_json(const json::object& document) {
  const auto text = [&document](std::string_view name) {
    return std::string(json::find_string(document, name).value_or(""));
  };
  const auto role = role_from(text("role"));
  if (!role || text("sha256").size() != 64) {
    return Error{ErrorCode::internal, "expected a token's record with role and sha256, found another object", {}};
  }
  AccessToken token{text("id"), text("sha256"), text("name"), *role, text("host"), {}, 0, 0};
  if (const auto* topics = json::find_array(document, "topics")) {
    for (const auto& topic : *topics) {
      // A token without topics has them all.
      if (!topic.is_string())
        return Error{ErrorCode::internal, "expected texts as the topics of a token, found another value", {}};
      token.topics.emplace_back(topic.get_string());
    }
  }
  token.created_at = json::find_integer(document, "created_at").value_or(0);
  token.expires_at = json::find_integer(document, "expires_at").value_or(0);
  return token;
}

json::object shown(const AccessToken& token, std::int64_t now) {
  auto document = to_json(token);
  document.erase("sha256");
  document["created_at"] = time_json(token.created_at);
  document["expires_at"] = time_json(token.expires_at);
  document["expired"] = token.expires_at != 0 && token.expires_at <= now;
  return document;
}

void AccessTokens::put(const AccessToken& token) {
  const std::unique_lock lock(mutex_);
  tokens_.insert_or_assign(token.id, token);
  callers_.insert_or_assign(token.sha256, caller_of(token));
}

void AccessTokens::remove(std::string_view id) {
  const std::unique_lock lock(mutex_);
  const auto found = tokens_.find(id);
  if (found == tokens_.end()) return;
  const auto caller = callers_.find(found->second.sha256);
  if (caller != callers_.end()) {
    caller->second->revoked = true;
    callers_.erase(caller);
  }
  tokens_.erase(found);
}

std::optional<AccessToken> AccessTokens::find(std::string_view id) const {
  const std::shared_lock lock(mutex_);
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t AccessTokens::size() const {
  const std::shared_lock lock(mutex_);
  return tokens_.size();
}

std::vector<AccessToken> AccessTokens::list() const {
  const std::shared_lock lock(mutex_);
  std::vector<AccessToken> all;
  all.reserve(tokens_.size());
  for (const auto& [id, token] : tokens_) all.push_back(token);
  return all;
}

Result<std::shared_ptr<const Caller>> AccessTokens::authenticate(std::string_view token, std::int64_t now) const {
  const auto hash = sha256_of(std::as_bytes(std::span(token)));
  if (!hash) return hash.error();
  const std::shared_lock lock(mutex_);
  const auto found = callers_.find(*hash);
  if (found == callers_.end()) {
    return unauthenticated("the token is unknown or was revoked; an admin makes one with: gantry token create");
  }
  if (found->second->expires_at != 0 && found->second->expires_at <= now) {
    return unauthenticated("token " + found->second->token_id +
                           " has expired; an admin makes another with: gantry token create");
  }
  return found->second;
}

}  // namespace gantry::scheduling
