// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/restored_facts.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/fleet/records/records.hpp"
#include "core/scheduling/state/casts.hpp"
#include "core/scheduling/state/heartbeats.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

using store::Kind;
using Documents = std::map<std::string, std::string>;

// Reports are left out: each report of a host replaces one.
constexpr std::array<std::pair<Kind, const char*>, 7> compared{{{Kind::service, "services"},
                                                                {Kind::aggregate, "aggregates"},
                                                                {Kind::group, "groups"},
                                                                {Kind::instance, "instances"},
                                                                {Kind::claim, "claims"},
                                                                {Kind::cast, "casts"},
                                                                {Kind::token, "tokens"}}};

Result<Documents> read(const store::ReadDocuments& from, Kind kind) {
  auto read = from(kind);
  if (!read) return std::move(read).error();
  Documents documents;
  for (auto& document : *read) documents.emplace(std::move(document.key), std::move(document.text));
  return documents;
}

Result<json::object> parsed(const std::string& text, std::string_view what, const std::string& key) {
  auto object = json::parse_object(text, json::stored_depth);
  if (!object) return std::move(object).error().within("stored " + std::string(what) + " '" + key + "'");
  return object;
}

std::string without_times(Kind kind, const std::string& text) {
  auto object = json::parse_object(text, json::stored_depth);
  if (!object) return text;
  remove_times(kind, *object);
  return json::write_canonical(*object);
}

ChangedSince compare(Kind kind, const char* name, const Documents& backup, const Documents& present) {
  ChangedSince since{name, backup.size()};
  for (const auto& [key, text] : backup) {
    const auto found = present.find(key);
    if (found == present.end()) {
      ++since.removed;
    } else if (without_times(kind, found->second) != without_times(kind, text)) {
      ++since.changed;
    }
  }
  for (const auto& [key, text] : present) since.added += backup.contains(key) ? 0 : 1;
  return since;
}

// Returns the state that an operator has set: "disabled (bad disk)", "enabled, forced down".
std::string set_by_operator(const fleet::Service& service) {
  std::string text = service.disabled ? "disabled" : "enabled";
  if (service.disabled && !service.disabled_reason.empty()) text += " (" + service.disabled_reason + ")";
  return service.forced_down ? text + ", forced down" : text;
}

Result<void> compare_services(const Documents& backup, const Documents& present, RestoreNotes& notes) {
  for (const auto& [key, text] : backup) {
    const auto found = present.find(key);
    if (found == present.end()) continue;
    std::array<std::string, 2> sides;
    for (auto [side, document] : {std::pair(&sides[0], &text), std::pair(&sides[1], &found->second)}) {
      auto object = parsed(*document, "service", key);
      if (!object) return std::move(object).error();
      auto service = fleet::service_from_json(*object);
      if (!service) return std::move(service).error();
      *side = set_by_operator(*service);
    }
    if (sides[0] != sides[1])
      notes.services.push_back(
          std::string(key).append(": ").append(sides[0]).append(" in the backup, ").append(sides[1]).append(" since"));
  }
  return {};
}

Result<void> compare_all(const store::ReadDocuments& backup, const store::ReadDocuments& present, RestoreNotes& notes) {
  notes.is_compared = true;
  for (const auto& [kind, name] : compared) {
    auto before = read(backup, kind);
    if (!before) return std::move(before).error();
    auto now = read(present, kind);
    if (!now) return std::move(now).error();
    notes.since.push_back(compare(kind, name, *before, *now));
    if (kind != Kind::service) continue;
    if (auto told = compare_services(*before, *now, notes); !told) return told;
  }
  return {};
}

RestoredCast noted(const Cast& cast) {
  const auto named = json::find_string(cast.args, "instance_uuid");
  return {cast.id, cast.topic, cast.host, cast.method, std::string(named.value_or(cast.consumer))};
}

// Returns the consumers of the casts that are sent.
Result<std::set<std::string>> choose_casts(const RestoreWish& wish, const store::ReadDocuments& backup,
                                           const store::ReadDocuments* present, store::Batch& changes,
                                           RestoreNotes& notes) {
  auto casts = read(backup, Kind::cast);
  if (!casts) return std::move(casts).error();
  Documents waiting;
  if (present != nullptr) {
    auto now = read(*present, Kind::cast);
    if (!now) return std::move(now).error();
    waiting = *std::move(now);
  }
  std::set<std::string> consumers;
  for (const auto& [key, text] : *casts) {
    auto object = parsed(text, "cast", key);
    if (!object) return std::move(object).error();
    auto cast = cast_from_json(*object);
    if (!cast) return std::move(cast).error();
    const bool is_sent =
        wish.casts == RestoredCasts::all || (wish.casts == RestoredCasts::waiting && waiting.contains(key));
    (is_sent ? notes.sent : notes.left_out).push_back(noted(*cast));
    if (is_sent)
      consumers.insert(cast->consumer);
    else
      changes.push_back({Kind::cast, key, std::nullopt});
  }
  return consumers;
}

Result<void> revise_claims(const RestoreWish& wish, const store::ReadDocuments& backup,
                           const std::set<std::string>& consumers, store::Batch& changes, RestoreNotes& notes) {
  auto claims = read(backup, Kind::claim);
  if (!claims) return std::move(claims).error();
  notes.claims = claims->size();
  for (const auto& [key, text] : *claims) {
    auto object = parsed(text, "claim", key);
    if (!object) return std::move(object).error();
    auto claim = fleet::claim_from_json(*object);
    if (!claim) return std::move(claim).error().within("stored claim '" + key + "'");
    claim->created_at = wish.restored_at;
    claim->cast_waits = claim->cast_waits && consumers.contains(claim->consumer);
    changes.push_back({Kind::claim, key, json::write(to_json(*claim))});
  }
  return {};
}

Result<void> find_unlaunched(const store::ReadDocuments& backup, RestoreNotes& notes) {
  std::set<std::string> launched;
  for (const auto& cast : notes.left_out)
    if (cast.method == "run_instance") launched.insert(cast.instance);
  if (launched.empty()) return {};
  auto instances = read(backup, Kind::instance);
  if (!instances) return std::move(instances).error();
  for (const auto& uuid : launched) {
    const auto found = instances->find(uuid);
    if (found == instances->end()) continue;
    auto object = parsed(found->second, "instance", uuid);
    if (!object) return std::move(object).error();
    if (json::find_string(*object, "vm_state") == "building") notes.unlaunched.push_back(uuid);
  }
  return {};
}

std::string name_of_token(const std::string& id, const std::string& text) {
  const auto object = json::parse_object(text, json::stored_depth);
  const auto name = object ? json::find_string(*object, "name") : std::nullopt;
  return name ? id + " (" + std::string(*name) + ")" : id;
}

// A token that was revoked must not come back, so the store in place decides.
Result<void> choose_tokens(const RestoreWish& wish, const store::ReadDocuments& backup,
                           const store::ReadDocuments* present, store::Batch& changes, RestoreNotes& notes) {
  auto tokens = read(backup, Kind::token);
  if (!tokens) return std::move(tokens).error();
  notes.has_tokens_of_backup = wish.tokens_of_backup || present == nullptr;
  Documents held = *tokens;
  if (!notes.has_tokens_of_backup) {
    auto now = read(*present, Kind::token);
    if (!now) return std::move(now).error();
    held = *std::move(now);
  }
  for (const auto& [id, text] : *tokens) {
    if (held.contains(id)) continue;
    notes.dropped_tokens.push_back(name_of_token(id, text));
    changes.push_back({Kind::token, id, std::nullopt});
  }
  for (const auto& [id, text] : held) {
    notes.tokens.push_back(name_of_token(id, text));
    const auto before = tokens->find(id);
    if (before == tokens->end() || before->second != text) changes.push_back({Kind::token, id, text});
  }
  return {};
}

}  // namespace

Result<store::Batch> revise_restored(const RestoreWish& wish, const store::ReadDocuments& backup,
                                     const store::ReadDocuments* present, RestoreNotes& notes) {
  store::Batch changes;
  notes = {};
  if (present != nullptr) {
    if (auto told = compare_all(backup, *present, notes); !told) return std::move(told).error();
  }
  auto consumers = choose_casts(wish, backup, present, changes, notes);
  if (!consumers) return std::move(consumers).error();
  if (auto revised = revise_claims(wish, backup, *consumers, changes, notes); !revised)
    return std::move(revised).error();
  if (auto found = find_unlaunched(backup, notes); !found) return std::move(found).error();
  if (auto chosen = choose_tokens(wish, backup, present, changes, notes); !chosen) return std::move(chosen).error();
  return changes;
}

}  // namespace gantry::scheduling
