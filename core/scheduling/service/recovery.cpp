// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/recovery.hpp"

#include <algorithm>
#include <chrono>

#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

namespace {

using store::Kind;

// Reports the progress: a large store takes a while.
class Progress {
 public:
  explicit Progress(const Parts& parts) : parts_(parts) {}
  void loaded(std::string_view name, std::size_t count) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < parts_.settings.progress_interval) return;
    said_ = now;
    say_progress(parts_, "reading the store", std::to_string(count) + " documents of kind " + std::string(name));
  }

 private:
  const Parts& parts_;
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

std::string key_in_store(const fleet::Service& service) {
  return service_key(service.topic, service.host);
}
std::string key_in_store(const fleet::ComputeNode& node) {
  return compute_node_key(node.topic, node.host, node.node);
}
std::string key_in_store(const fleet::Capabilities& capabilities) {
  return service_key(capabilities.topic, capabilities.host);
}
std::string key_in_store(const fleet::Aggregate& aggregate) {
  return std::to_string(aggregate.id);
}
std::string key_in_store(const fleet::Group& group) {
  return group.uuid;
}
std::string key_in_store(const fleet::Instance& instance) {
  return parse_uuid(instance.uuid) ? instance.uuid : "";
}
std::string key_in_store(const fleet::Claim& claim) {
  return key_of(claim);
}
std::string key_in_store(const Cast& cast) {
  return cast.id;
}
std::string key_in_store(const AccessToken& token) {
  return token.id;
}

// Loads the documents of one kind: text -> JSON -> record -> `take`. Fails if a document does not belong to its key.
template <class FromJson, class Take>
Result<std::size_t> load_kind(State& state, Kind kind, std::string_view name, FromJson from_json, Take take) {
  std::size_t count = 0;
  Progress progress(state.parts);
  auto loaded = state.parts.store.load(kind, [&](std::string_view key, std::string_view document) -> Result<void> {
    const auto where = "stored " + std::string(name) + " '" + std::string(key) + "'";
    auto object = json::parse_object(document, json::stored_depth);
    if (!object) return std::move(object).error().within(where);
    auto record = from_json(*object);
    if (!record) return std::move(record).error().within(where);
    if (const auto own = key_in_store(*record); own != key) {
      return Error{ErrorCode::internal, where + ": its document is that of '" + own + "'", {}};
    }
    take(std::move(*record));
    ++count;
    progress.loaded(name, count);
    return {};
  });
  if (!loaded) return std::move(loaded).error();
  return count;
}

Result<void> load_facts(State& state, Recovered& recovered) {
  auto& fleet = state.parts.fleet;
  const auto keep = [](std::size_t& into, Result<std::size_t> counted) -> Result<void> {
    if (!counted) return std::move(counted).error();
    into = *counted;
    return {};
  };
  const auto see = [&recovered](fleet::Nanoseconds time) { recovered.newest = std::max(recovered.newest, time); };
  std::size_t capabilities = 0;
  auto aggregates =
      load_kind(state, Kind::aggregate, "aggregate", fleet::aggregate_from_json, [&](const fleet::Aggregate& record) {
        if (state.next_aggregate_id <= record.id) state.next_aggregate_id = record.id + 1;
        fleet.put_aggregate(record);
      });
  if (auto kept = keep(recovered.aggregates, std::move(aggregates)); !kept) return kept;
  auto& heartbeats = state.heartbeats;
  auto times = state.parts.store.load(
      Kind::heartbeat, [&](std::string_view key, std::string_view text) { return heartbeats.load(key, text); });
  if (!times) return times;
  auto services = load_kind(state, Kind::service, "service", fleet::service_from_json, [&](fleet::Service record) {
    heartbeats.bring_up_to_date(record);
    see(record.last_seen_up);
    fleet.put_service(record);
  });
  if (auto kept = keep(recovered.services, std::move(services)); !kept) return kept;
  auto nodes = load_kind(state, Kind::compute_node, "compute node", fleet::compute_node_from_json,
                         [&](fleet::ComputeNode record) {
                           heartbeats.bring_up_to_date(record);
                           see(record.updated_at);
                           fleet.restore_compute_node(record);
                         });
  if (auto kept = keep(recovered.compute_nodes, std::move(nodes)); !kept) return kept;
  auto known = load_kind(state, Kind::capabilities, "capabilities", fleet::capabilities_from_json,
                         [&](fleet::Capabilities record) {
                           heartbeats.bring_up_to_date(record);
                           fleet.put_capabilities(record);
                         });
  if (auto kept = keep(capabilities, std::move(known)); !kept) return kept;
  heartbeats.end_loading();
  auto groups = load_kind(state, Kind::group, "group", fleet::group_from_json,
                          [&](const fleet::Group& record) { fleet.put_group(record); });
  if (auto kept = keep(recovered.groups, std::move(groups)); !kept) return kept;
  auto instances =
      load_kind(state, Kind::instance, "instance", fleet::instance_from_json, [&](const fleet::Instance& record) {
        see(record.updated_at);
        fleet.put_instance(record);
      });
  return keep(recovered.instances, std::move(instances));
}

}  // namespace

Result<Recovered> recover(State& state, IdempotentAnswers& answers) {
  Recovered recovered;
  if (auto loaded = load_facts(state, recovered); !loaded) return std::move(loaded).error();

  auto casts =
      load_kind(state, Kind::cast, "cast", cast_from_json, [&](Cast cast) { state.casts.add(std::move(cast)); });
  if (!casts) return std::move(casts).error();
  recovered.casts = *casts;
  auto claims = load_kind(state, Kind::claim, "claim", fleet::claim_from_json,
                          [&](const fleet::Claim& claim) { state.parts.fleet.load_claim(claim); });
  if (!claims) return std::move(claims).error();
  recovered.claims = *claims;
  auto tokens = load_kind(state, Kind::token, "token", token_from_json,
                          [&](const AccessToken& token) { state.tokens.put(token); });
  if (!tokens) return std::move(tokens).error();
  auto kept = state.parts.store.load(Kind::idempotency, [&answers](std::string_view key, std::string_view document) {
    return answers.load(key, document);
  });
  if (!kept) return std::move(kept).error();
  return recovered;
}

}  // namespace gantry::scheduling
