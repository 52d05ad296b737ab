// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/idempotency.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/in_quotes.hpp"
#include "core/scheduling/state/stable_hash.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t kept_for = 3'600'000'000'000;  // nanoseconds
constexpr std::size_t most_kept = 50'000;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::size_t fingerprint_of(const MethodCall& call) {
  return stable_hash(call.method + " " + json::write_canonical(call.args));
}

json::object document_of(std::size_t fingerprint, const Reply& reply, std::int64_t now) {
  json::object document{{"fingerprint", fingerprint}, {"at", now}};
  if (reply) {
    document["result"] = *reply;
  } else {
    document["code"] = static_cast<int>(reply.error().code);
    document["message"] = reply.error().message;
    document["details"] = reply.error().details;
  }
  return document;
}

// A fingerprint may be too large for int64.
std::optional<std::size_t> fingerprint_in(const json::object& document) {
  const auto* value = json::find(document, "fingerprint");
  if (value == nullptr) return std::nullopt;
  if (const auto* number = value->if_uint64()) return *number;
  if (const auto* number = value->if_int64(); number != nullptr && *number >= 0) {
    return static_cast<std::size_t>(*number);
  }
  return std::nullopt;
}

}  // namespace

bool is_final(const Reply& reply) {
  if (reply) return true;
  const auto code = reply.error().code;
  return code != ErrorCode::unavailable && code != ErrorCode::deadline_exceeded &&
         code != ErrorCode::resource_exhausted && code != ErrorCode::internal;
}

IdempotentAnswers::KeyState IdempotentAnswers::begin(const MethodCall& call, Done& done) {
  const auto fingerprint = fingerprint_of(call);
  std::optional<Reply> reply;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = entries_.try_emplace(call.idempotency_key);
    if (is_new) {
      entry->second.fingerprint = fingerprint;
      return KeyState::is_new;
    }
    if (entry->second.fingerprint == fingerprint) {
      if (!entry->second.reply) {
        entry->second.waiting.push_back(std::move(done));
        return KeyState::waits;
      }
      reply = entry->second.reply;
    }
  }
  if (reply) {
    done(std::move(*reply));
    return KeyState::answered;
  }
  done(Error{ErrorCode::invalid_argument,
             "Idempotency-Key '" + call.idempotency_key +
                 "' was used before for another call; make up a new key for each call",
             {}});
  return KeyState::misused;
}

store::Change IdempotentAnswers::to_store(const MethodCall& call, const Reply& reply, std::int64_t now) const {
  return {store::Kind::idempotency, call.idempotency_key, json::write(document_of(fingerprint_of(call), reply, now))};
}

void IdempotentAnswers::finish(const MethodCall& call, const Reply& reply, std::size_t bytes, std::int64_t now) {
  std::vector<Done> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(call.idempotency_key);
    waiting.swap(entry->second.waiting);
    if (bytes > 0) {
      entry->second.reply = reply;
      entry->second.bytes = bytes;
      entry->second.kept_at = now;
      bytes_ += bytes;
      by_age_.emplace(now, call.idempotency_key);
    } else {
      entries_.erase(entry);
    }
  }
  for (const auto& done : waiting) done(reply);
}

Result<void> IdempotentAnswers::load(std::string_view key, std::string_view text) {
  auto document = json::parse_object(text, json::stored_depth);
  if (!document) return std::move(document).error().within("stored answer " + in_quotes(key));
  const auto damaged = [&key](std::string_view member, std::string_view expected) {
    return Error{
        ErrorCode::internal,
        "stored answer " + in_quotes(key) + ": member '" + std::string(member) + "': expected " + std::string(expected),
        {}};
  };
  Entry entry;
  const auto fingerprint = fingerprint_in(*document);
  if (!fingerprint) return damaged("fingerprint", "a whole number, 0 or more");
  entry.fingerprint = *fingerprint;
  const auto at = json::find_integer(*document, "at").value_or(0);
  if (document->contains("result")) {
    entry.reply = Reply((*document)["result"]);
  } else {
    const auto code = json::find_integer(*document, "code").value_or(-1);
    if (code < 0 || code > static_cast<int>(ErrorCode::unauthenticated)) return damaged("code", "that of an error");
    entry.reply =
        Reply(Error{static_cast<ErrorCode>(code), std::string(json::find_string(*document, "message").value_or("")),
                    std::string(json::find_string(*document, "details").value_or(""))});
  }
  entry.bytes = key.size() + text.size();
  entry.kept_at = at;
  unload(std::string(key));
  const std::lock_guard lock(mutex_);
  bytes_ += entry.bytes;
  entries_.insert_or_assign(std::string(key), std::move(entry));
  by_age_.emplace(at, key);
  return {};
}

void IdempotentAnswers::unload(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) return;
  const auto [first, last] = by_age_.equal_range(entry->second.kept_at);
  const auto aged = std::find_if(first, last, [&key](const auto& each) { return each.second == key; });
  if (aged != last) by_age_.erase(aged);
  bytes_ -= entry->second.bytes;
  entries_.erase(entry);
}

std::vector<std::string> IdempotentAnswers::keys() {
  std::vector<std::string> keys;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    if (entry.reply) keys.push_back(key);
  }
  return keys;
}

std::optional<json::object> IdempotentAnswers::document(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || !found->second.reply) return std::nullopt;
  auto document = document_of(found->second.fingerprint, *found->second.reply, 0);
  document.erase("at");
  return document;
}

std::vector<std::string> IdempotentAnswers::expire(std::int64_t now) {
  std::vector<std::string> expired;
  const std::lock_guard lock(mutex_);
  for (auto& key : std::exchange(still_stored_, {})) {
    if (!entries_.contains(key)) expired.push_back(std::move(key));
  }
  while (!by_age_.empty() &&
         (by_age_.begin()->first < now - kept_for || by_age_.size() > most_kept || bytes_ > most_bytes)) {
    const auto oldest = by_age_.begin();
    const auto entry = entries_.find(oldest->second);
    bytes_ -= entry->second.bytes;
    entries_.erase(entry);
    expired.push_back(std::move(oldest->second));
    by_age_.erase(oldest);
  }
  return expired;
}

void IdempotentAnswers::still_stored(const std::vector<std::string>& keys) {
  const std::lock_guard lock(mutex_);
  still_stored_.insert(still_stored_.end(), keys.begin(), keys.end());
}

}  // namespace gantry::scheduling
