// SPDX-License-Identifier: Apache-2.0
//
// Casts. A cast that names a host marks the host first, so that the refresh which takes the cast back has read all of the
// host's instances.
#include <array>
#include <utility>

#include "core/nova/facts/casts.hpp"
#include "core/nova/facts/fact_keeper_state.hpp"

namespace gantry::nova {

Result<void> FactKeeper::apply(std::string_view method, const json::object& args) {
  using Take = Result<void> (State::*)(const json::object&);
  constexpr std::array<std::pair<std::string_view, Take>, 5> casts{
      {{"update_aggregates", &State::update_aggregates},
       {"delete_aggregate", &State::delete_aggregate},
       {"update_instance_info", &State::update_instance_info},
       {"delete_instance_info", &State::delete_instance_info},
       {"sync_instance_info", &State::sync_instance_info}}};
  for (const auto& [name, take] : casts) {
    if (name != method) continue;
    state_->counters.add("nova_casts", method, 1);
    return (state_.get()->*take)(args);
  }
  return Error{ErrorCode::unsupported, "cast '" + std::string(method) + "': is not one about facts", {}};
}

Result<void> FactKeeper::State::update_aggregates(const json::object& args) {
  const auto cast = read_update_aggregates(args);
  if (!cast) return cast.error();
  const std::lock_guard lock(facts_mutex);
  ++changes;
  for (const auto& aggregate : *cast) aggregates.cast_present(aggregate, Clock::now());
  return {};
}

Result<void> FactKeeper::State::delete_aggregate(const json::object& args) {
  const auto id = read_delete_aggregate(args);
  if (!id) return id.error();
  const std::lock_guard lock(facts_mutex);
  ++changes;
  aggregates.cast_gone(*id, Clock::now());
  return {};
}

std::optional<std::int64_t> FactKeeper::State::cell_of(const std::string& host) const {
  const std::lock_guard lock(facts_mutex);
  return hosts.cell_of(host);
}

Result<void> FactKeeper::State::update_instance_info(const json::object& args) {
  const auto cast = read_update_instance_info(args);
  if (!cast) return cast.error();
  const auto cell = cell_of(cast->host);
  mark(cast->host, cell);
  if (!cell) return {};
  std::set<std::string> changed;
  const std::lock_guard lock(facts_mutex);
  ++changes;
  instances.cast_present(*cell, cast->host, cast->uuids, Clock::now(), changed);
  end_shown_claims(changed);
  return {};
}

Result<void> FactKeeper::State::delete_instance_info(const json::object& args) {
  const auto cast = read_delete_instance_info(args);
  if (!cast) return cast.error();
  const auto cell = cell_of(cast->host);
  mark(cast->host, cell);
  if (!cell) return {};
  const std::lock_guard lock(facts_mutex);
  ++changes;
  instances.cast_gone(*cell, cast->host, cast->uuids.front(), Clock::now());
  return {};
}

// Nova reads the host's instances again where the list is not what it knows. A refresh does so before any decision.
Result<void> FactKeeper::State::sync_instance_info(const json::object& args) {
  const auto cast = read_sync_instance_info(args);
  if (!cast) return cast.error();
  mark(cast->host, cell_of(cast->host));
  return {};
}

}  // namespace gantry::nova
