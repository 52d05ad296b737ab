// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/examination/store_comparison.hpp"

#include <array>
#include <charconv>
#include <unordered_set>

#include "core/encoding/name_path.hpp"

namespace gantry::scheduling {

namespace {

using store::Kind;

constexpr std::size_t page = 500;
// The most differences that are looked at again. The others are counted.
constexpr std::size_t most_differences = 10'000;

constexpr std::array<std::pair<Kind, const char*>, 11> kinds{{{Kind::service, "service"},
                                                              {Kind::compute_node, "compute_node"},
                                                              {Kind::capabilities, "capabilities"},
                                                              {Kind::aggregate, "aggregate"},
                                                              {Kind::group, "group"},
                                                              {Kind::instance, "instance"},
                                                              {Kind::claim, "claim"},
                                                              {Kind::cast, "cast"},
                                                              {Kind::idempotency, "idempotency"},
                                                              {Kind::token, "token"},
                                                              {Kind::heartbeat, "heartbeat"}}};

template <class Record>
std::optional<json::object> document_of(const std::optional<Record>& record) {
  if (!record) return std::nullopt;
  return to_json(*record);
}

template <class Record, class KeyOf>
std::vector<std::string> keys_of(const std::vector<Record>& records, KeyOf key_of_record) {
  std::vector<std::string> keys;
  keys.reserve(records.size());
  for (const auto& record : records) keys.push_back(key_of_record(record));
  return keys;
}

// Without the times that memory may have before the store.
std::optional<std::string> canonical(Kind kind, std::optional<json::object> document) {
  if (!document) return std::nullopt;
  remove_times(kind, *document);
  return json::write_canonical(*document);
}

// Returns the text itself if it is no JSON, so that it differs from every document in memory.
std::string canonical(Kind kind, const std::string& text) {
  auto document = json::parse_object(text, json::stored_depth);
  if (!document) return text;
  if (kind == Kind::idempotency) document->erase("at");
  if (kind == Kind::heartbeat) document->clear();
  remove_times(kind, *document);
  return json::write_canonical(*document);
}

}  // namespace

std::vector<std::string> StoreComparison::keys_in_memory(Kind kind) const {
  auto& fleet = state_.parts.fleet;
  switch (kind) {
    case Kind::service:
      return keys_of(fleet.services(), [](const auto& service) { return service_key(service.topic, service.host); });
    case Kind::compute_node:
      return keys_of(fleet.compute_node_names(),
                     [](const auto& name) { return compute_node_key(name.topic, name.host, name.node); });
    case Kind::capabilities:
      return keys_of(fleet.capabilities_names(), [](const auto& name) { return service_key(name.topic, name.host); });
    case Kind::aggregate:
      return keys_of(fleet.aggregates(), [](const auto& aggregate) { return std::to_string(aggregate.id); });
    case Kind::group: return keys_of(fleet.groups(), [](const auto& group) { return group.uuid; });
    case Kind::instance: return fleet.instance_uuids();
    case Kind::claim: return keys_of(fleet.claims(), [](const auto& claim) { return key_of(claim); });
    case Kind::cast: return state_.casts.ids();
    case Kind::idempotency: return answers_.keys();
    case Kind::token: return keys_of(state_.tokens.list(), [](const auto& token) { return token.id; });
    case Kind::heartbeat: return {};  // the store may have them a little later
  }
  return {};
}

std::optional<json::object> StoreComparison::in_memory(Kind kind, const std::string& key) const {
  const auto& fleet = state_.parts.fleet;
  auto names = split_names(key);
  names.resize(5);
  switch (kind) {
    case Kind::service: return document_of(fleet.service(names[0], names[1]));
    case Kind::compute_node: return document_of(fleet.compute_node(names[0], names[1], names[2]));
    case Kind::capabilities: return document_of(fleet.capabilities(names[0], names[1]));
    case Kind::aggregate: {
      std::int64_t id = 0;
      const auto end = std::from_chars(key.data(), key.data() + key.size(), id);
      const bool is_id = end.ec == std::errc() && end.ptr == key.data() + key.size();
      return is_id ? document_of(fleet.aggregate(id)) : std::nullopt;
    }
    case Kind::group: {
      auto group = fleet.group(key);  // also finds by name
      return group && group->uuid == key ? document_of(group) : std::nullopt;
    }
    case Kind::instance: return document_of(fleet.instance(key));
    case Kind::claim: return document_of(fleet.find_claim(names[0], names[1], names[2], names[3], names[4]));
    case Kind::cast: return document_of(state_.casts.find(key));
    case Kind::idempotency: return answers_.document(key);
    case Kind::token: return document_of(state_.tokens.find(key));
    case Kind::heartbeat: return heartbeat_in_memory(names);
  }
  return std::nullopt;
}

// Empty: the times themselves are not compared.
std::optional<json::object> StoreComparison::heartbeat_in_memory(const std::vector<std::string>& names) const {
  const auto& fleet = state_.parts.fleet;
  const bool is_known = names[0] == "service"        ? fleet.service(names[1], names[2]).has_value()
                        : names[0] == "compute_node" ? fleet.compute_node(names[1], names[2], names[3]).has_value()
                                                     : fleet.capabilities(names[1], names[2]).has_value();
  return is_known ? std::optional<json::object>(json::object()) : std::nullopt;
}

Result<std::optional<std::string>> StoreComparison::in_store(Kind kind, const std::string& key) const {
  auto read = state_.parts.store.read(kind, key, 1);
  if (!read) return std::move(read).error();
  if (read->empty() || read->front().key != key) return std::optional<std::string>();
  return std::optional<std::string>(std::move(read->front().text));
}

void StoreComparison::suspect(Difference difference) {
  if (suspects_.size() < most_differences)
    suspects_.push_back(std::move(difference));
  else
    ++left_out_;
}

Result<void> StoreComparison::look() {
  state_.parts.store.flush();
  for (const auto& [kind, name] : kinds) {
    if (auto looked = look_at(kind, name); !looked) return looked;
  }
  return {};
}

Result<void> StoreComparison::look_at(Kind kind, const std::string& name) {
  std::unordered_set<std::string> seen;
  std::string from;
  for (;;) {
    auto documents = state_.parts.store.read(kind, from, page);
    if (!documents) return std::move(documents).error();
    const auto before = seen.size();
    for (const auto& document : *documents) {
      if (!seen.insert(document.key).second) continue;  // the last of the page before
      const auto memory = in_memory(kind, document.key);
      // Mostly the text is exactly the stored one.
      if (memory && json::write(*memory) == document.text) continue;
      auto remembered = canonical(kind, memory);
      auto stored = canonical(kind, document.text);
      if (remembered != stored) suspect({kind, name, document.key, std::move(remembered), std::move(stored)});
    }
    if (seen.size() == before || documents->size() < page) break;
    from = documents->back().key;
  }
  documents_[name] = seen.size();
  for (const auto& key : keys_in_memory(kind)) {
    if (seen.contains(key)) continue;
    ++documents_[name];
    suspect({kind, name, key, canonical(kind, in_memory(kind, key)), std::nullopt});
  }
  return {};
}

Result<void> StoreComparison::look_again() {
  auto before = std::exchange(suspects_, {});
  std::vector<std::optional<std::string>> remembered;
  remembered.reserve(before.size());
  for (const auto& suspect : before)
    remembered.push_back(canonical(suspect.kind, in_memory(suspect.kind, suspect.key)));
  state_.parts.store.flush();
  for (std::size_t at = 0; at < before.size(); ++at) {
    auto& suspect = before[at];
    auto text = in_store(suspect.kind, suspect.key);
    if (!text) return std::move(text).error();
    std::optional<std::string> stored;
    if (*text) stored = canonical(suspect.kind, **text);
    if (stored == remembered[at]) continue;
    const bool still = canonical(suspect.kind, in_memory(suspect.kind, suspect.key)) == remembered[at];
    const bool alike = stored == suspect.stored && remembered[at] == suspect.memory;
    suspect.stored = std::move(stored);
    suspect.memory = std::move(remembered[at]);
    (still && alike ? found_ : suspects_).push_back(std::move(suspect));
  }
  return {};
}

}  // namespace gantry::scheduling
