// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/recovery.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/name_path.hpp"
#include "core/scheduling/state/stored_documents.hpp"

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

// Where documents come from: all of a kind, or those that have changed since.
using Source = Result<void> (*)(store::Store& store, Kind kind, const store::ChangeVisitor& visit);

Result<void> all_documents(store::Store& store, Kind kind, const store::ChangeVisitor& visit) {
  return store.load(kind, [&visit](std::string_view key, std::string_view document) { return visit(key, document); });
}

Result<void> changed_documents(store::Store& store, Kind kind, const store::ChangeVisitor& visit) {
  return store.load_changes(kind, visit);
}

// Brings memory up to the documents of a source, kind by kind.
class Loading {
 public:
  Loading(State& state, IdempotentAnswers& answers, Source source, Recovered& recovered)
      : state_(state), fleet_(state.parts.fleet), answers_(answers), source_(source), recovered_(recovered) {}

  Result<void> run();

 private:
  // Document -> record -> `take`; `remove` gets the key of a document that is gone. `count` rises by how many were taken.
  template <class FromJson, class Take, class Remove>
  Result<void> load(Kind kind, std::string_view name, FromJson from_json, Take take, Remove remove,
                    std::size_t* count = nullptr);
  Result<void> load_aggregates();
  Result<void> load_heartbeats();
  Result<void> load_services();
  Result<void> load_compute_nodes();
  Result<void> load_capabilities();
  Result<void> load_groups();
  Result<void> load_instances();
  Result<void> load_casts();
  Result<void> load_claims();
  Result<void> load_tokens();
  Result<void> load_answers();
  // Brings records up to heartbeats that came after the records were loaded.
  Result<void> note_heartbeats();
  void see(fleet::Nanoseconds time) { recovered_.newest = std::max(recovered_.newest, time); }

  State& state_;
  fleet::Fleet& fleet_;
  IdempotentAnswers& answers_;
  const Source source_;
  Recovered& recovered_;
  std::vector<std::string> heard_;  // keys of heartbeats that have changed since
};

template <class FromJson, class Take, class Remove>
Result<void> Loading::load(Kind kind, std::string_view name, FromJson from_json, Take take, Remove remove,
                           std::size_t* count) {
  std::size_t taken = 0;
  Progress progress(state_.parts);
  const auto visit = [&](std::string_view key, std::optional<std::string_view> document) -> Result<void> {
    ++recovered_.changed;
    if (!document) {
      remove(std::string(key));
      return {};
    }
    auto record = read_stored(name, from_json, key, *document);
    if (!record) return std::move(record).error();
    take(std::move(*record));
    progress.loaded(name, ++taken);
    return {};
  };
  auto loaded = source_(state_.parts.store, kind, visit);
  if (count != nullptr) *count += taken;
  return loaded;
}

Result<void> Loading::load_aggregates() {
  const auto take = [this](const fleet::Aggregate& record) {
    if (state_.next_aggregate_id <= record.id) state_.next_aggregate_id = record.id + 1;
    fleet_.put_aggregate(record);
  };
  const auto remove = [this](const std::string& key) {
    std::int64_t id = 0;
    std::from_chars(key.data(), key.data() + key.size(), id);
    fleet_.remove_aggregate(id);
  };
  return load(Kind::aggregate, "aggregate", fleet::aggregate_from_json, take, remove, &recovered_.aggregates);
}

Result<void> Loading::load_heartbeats() {
  const auto visit = [this](std::string_view key, std::optional<std::string_view> document) -> Result<void> {
    ++recovered_.changed;
    if (document) {
      if (source_ == changed_documents) heard_.emplace_back(key);
      return state_.heartbeats.load(key, *document);
    }
    state_.heartbeats.unload(key);
    return {};
  };
  return source_(state_.parts.store, Kind::heartbeat, visit);
}

Result<void> Loading::load_services() {
  const auto take = [this](fleet::Service record) {
    state_.heartbeats.bring_up_to_date(record);
    see(record.last_seen_up);
    fleet_.put_service(record);
  };
  const auto remove = [this](const std::string& key) {
    if (const auto names = split_names(key); names.size() == 2) fleet_.remove_service(names[0], names[1]);
  };
  return load(Kind::service, "service", fleet::service_from_json, take, remove, &recovered_.services);
}

Result<void> Loading::load_compute_nodes() {
  const auto take = [this](fleet::ComputeNode record) {
    state_.heartbeats.bring_up_to_date(record);
    see(record.updated_at);
    fleet_.restore_compute_node(record);
  };
  const auto remove = [this](const std::string& key) {
    if (const auto names = split_names(key); names.size() == 3)
      fleet_.remove_compute_node(names[0], names[1], names[2]);
  };
  return load(Kind::compute_node, "compute node", fleet::compute_node_from_json, take, remove,
              &recovered_.compute_nodes);
}

Result<void> Loading::load_capabilities() {
  const auto take = [this](fleet::Capabilities record) {
    state_.heartbeats.bring_up_to_date(record);
    fleet_.put_capabilities(record);
  };
  const auto remove = [this](const std::string& key) {
    if (const auto names = split_names(key); names.size() == 2) fleet_.remove_capabilities(names[0], names[1]);
  };
  return load(Kind::capabilities, "capabilities", fleet::capabilities_from_json, take, remove);
}

Result<void> Loading::note_heartbeats() {
  for (const auto& key : heard_) see(state_.heartbeats.bring_up_to_date(fleet_, key));
  return {};
}

Result<void> Loading::load_groups() {
  const auto take = [this](const fleet::Group& record) { fleet_.put_group(record); };
  const auto remove = [this](const std::string& key) { fleet_.remove_group(key); };
  return load(Kind::group, "group", fleet::group_from_json, take, remove, &recovered_.groups);
}

Result<void> Loading::load_instances() {
  const auto take = [this](const fleet::Instance& record) {
    see(record.updated_at);
    fleet_.put_instance(record);
  };
  const auto remove = [this](const std::string& key) { fleet_.remove_instance(key); };
  return load(Kind::instance, "instance", fleet::instance_from_json, take, remove, &recovered_.instances);
}

Result<void> Loading::load_casts() {
  const auto remove = [this](const std::string& key) { state_.casts.acknowledge(key); };
  const auto take = [this](Cast cast) {
    state_.casts.acknowledge(cast.id);
    state_.casts.add(std::move(cast));
  };
  return load(Kind::cast, "cast", cast_from_json, take, remove, &recovered_.casts);
}

Result<void> Loading::load_claims() {
  const auto take = [this](const fleet::Claim& claim) { fleet_.load_claim(claim); };
  const auto remove = [this](const std::string& key) {
    auto names = split_names(key);
    names.resize(5);  // a pick's claim has no id
    fleet::Claim claim;
    claim.consumer = std::move(names[0]);
    claim.topic = std::move(names[1]);
    claim.host = std::move(names[2]);
    claim.node = std::move(names[3]);
    claim.id = std::move(names[4]);
    fleet_.unload_claim(claim);
  };
  return load(Kind::claim, "claim", fleet::claim_from_json, take, remove, &recovered_.claims);
}

Result<void> Loading::load_tokens() {
  const auto take = [this](const AccessToken& token) { state_.tokens.put(token); };
  const auto remove = [this](const std::string& key) { state_.tokens.remove(key); };
  return load(Kind::token, "token", token_from_json, take, remove);
}

Result<void> Loading::load_answers() {
  const auto visit = [this](std::string_view key, std::optional<std::string_view> document) -> Result<void> {
    ++recovered_.changed;
    if (document) return answers_.load(key, *document);
    answers_.unload(std::string(key));
    return {};
  };
  return source_(state_.parts.store, Kind::idempotency, visit);
}

// Aggregates come before the hosts that are in them, and heartbeats before the records whose times they have.
Result<void> Loading::run() {
  for (const auto step :
       {&Loading::load_aggregates, &Loading::load_heartbeats, &Loading::load_services, &Loading::load_compute_nodes,
        &Loading::load_capabilities, &Loading::note_heartbeats, &Loading::load_groups, &Loading::load_instances,
        &Loading::load_casts, &Loading::load_claims, &Loading::load_tokens, &Loading::load_answers})
    if (auto loaded = (this->*step)(); !loaded) return loaded;
  return {};
}

}  // namespace

Result<Recovered> recover(State& state, IdempotentAnswers& answers) {
  Recovered recovered;
  if (auto loaded = Loading(state, answers, all_documents, recovered).run(); !loaded) return std::move(loaded).error();
  recovered.changed = 0;
  return recovered;
}

Result<void> catch_up(State& state, IdempotentAnswers& answers, Recovered& recovered) {
  return Loading(state, answers, changed_documents, recovered).run();
}

void end_recovery(State& state) {
  state.heartbeats.end_loading();
}

}  // namespace gantry::scheduling
