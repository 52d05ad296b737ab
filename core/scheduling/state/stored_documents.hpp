// SPDX-License-Identifier: Apache-2.0
//
// Reads the documents of the store: a start with all of them, and a restore before it believes a backup. A
// document is refused by both, with the same words, or by neither.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/encoding/in_quotes.hpp"
#include "core/encoding/json.hpp"
#include "core/fleet/records/records.hpp"
#include "core/result.hpp"
#include "core/scheduling/state/access_tokens.hpp"
#include "core/scheduling/state/casts.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// Returns the key of a record's document. An instance whose uuid is none has no key.
std::string key_in_store(const fleet::Service& service);
std::string key_in_store(const fleet::ComputeNode& node);
std::string key_in_store(const fleet::Capabilities& capabilities);
std::string key_in_store(const fleet::Aggregate& aggregate);
std::string key_in_store(const fleet::Group& group);
std::string key_in_store(const fleet::Instance& instance);
std::string key_in_store(const fleet::Claim& claim);
std::string key_in_store(const Cast& cast);
std::string key_in_store(const AccessToken& token);

// Text -> JSON -> record. Fails, with the kind's name and the key, unless the text is such a document, and that of the key.
template <class FromJson>
auto read_stored(std::string_view name, FromJson from_json, std::string_view key, std::string_view text)
    -> decltype(from_json(json::object())) {
  const auto where = [&] { return "stored " + std::string(name) + " " + in_quotes(key); };
  auto object = json::parse_object(text, json::stored_depth);
  if (!object) return std::move(object).error().within(where());
  auto record = from_json(*object);
  if (!record) return std::move(record).error().within(where());
  if (const auto own = key_in_store(*record); own != key)
    return Error{ErrorCode::internal, where() + ": its document is that of " + in_quotes(own), {}};
  return record;
}

// Returns the error with which a start would refuse the document.
Result<void> check_stored(store::Kind kind, std::string_view key, std::string_view text);

}  // namespace gantry::scheduling
