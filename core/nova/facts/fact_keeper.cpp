// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fact_keeper.hpp"

#include "core/nova/facts/fact_keeper_state.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::nova {

namespace {

json::object status_of(const DatabaseFeed& feed, std::size_t hosts) {
  const auto status = feed.status();
  json::object entry{{"name", feed.name()},
                     {"connected", status.is_connected},
                     {"last_refresh_ms", nullptr},
                     {"hosts", hosts},
                     {"waiting", status.waiting}};
  if (status.last_refresh) entry["last_refresh_ms"] = status.last_refresh->count();
  if (status.away_since) {
    const auto since = telemetry::utc_text(*status.away_since);
    entry["away_since"] = std::string_view(since.data(), since.size());
    entry["reason"] = status.reason;
  }
  return entry;
}

std::string list_of(const std::set<std::string>& hosts) {
  constexpr std::size_t most = 5;
  std::string text;
  std::size_t count = 0;
  for (const auto& host : hosts) {
    if (++count > most) return text + " and " + std::to_string(hosts.size() - most) + " more";
    text += (count == 1 ? "" : ", ") + host;
  }
  return text;
}

}  // namespace

FactKeeper::FactKeeper(std::unique_ptr<State> state) : state_(std::move(state)) {}

FactKeeper::~FactKeeper() {
  stop();
}

Result<void> FactKeeper::refresh(Clock::time_point deadline) {
  const auto cells = state_->cell_list();
  const auto of_api = state_->api.ask();
  std::vector<std::uint64_t> of_cells;
  of_cells.reserve(cells.size());
  for (const auto& cell : cells) of_cells.push_back(cell->feed().ask());
  auto done = state_->api.wait(of_api, deadline);
  for (std::size_t i = 0; done && i < cells.size(); ++i) done = cells[i]->feed().wait(of_cells[i], deadline);
  if (done && state_->is_stopped) return Error{ErrorCode::unavailable, "Nova's databases are no longer read", {}};
  return done;
}

std::uint64_t FactKeeper::changes() const {
  return state_->changes;
}

std::shared_ptr<const FactSnapshot> FactKeeper::snapshot() const {
  auto& state = *state_;
  const std::lock_guard lock(state.facts_mutex);
  if (state.hosts.take_renamed() || state.names == nullptr) {
    std::map<std::string, std::string> cell_of_host;
    for (const auto& [host, cell] : state.mappings) {
      const auto uuid = state.cell_uuids.find(cell);
      if (uuid != state.cell_uuids.end()) cell_of_host.emplace(host, uuid->second);
    }
    state.names =
        std::make_shared<const NodeNames>(state.hosts.nodes(), std::move(cell_of_host), state.collation_of_names);
  }
  return std::make_shared<const FactSnapshot>(state.aggregates.list(), state.names, state.collation_of_values,
                                              state.hosts.lowest_version());
}

void FactKeeper::reload_instances() {
  for (const auto& cell : state_->cell_list()) cell->mark_all();
}

void FactKeeper::reload() {
  state_->logger->write(telemetry::Level::info, "cells and host mappings of Nova are read anew");
  state_->api.hurry();
  for (const auto& cell : state_->cell_list()) cell->feed().hurry();
}

void FactKeeper::stop() {
  state_->is_stopped = true;
  state_->discovering.reset();
  state_->reporting.reset();
  state_->api.stop();  // first: its thread begins and retires cells
  auto cells = state_->cell_list();
  {
    const std::lock_guard lock(state_->feeds_mutex);
    cells.insert(cells.end(), state_->retired.begin(), state_->retired.end());
    state_->retired.clear();
  }
  for (const auto& cell : cells) cell->feed().ask_to_stop();
  for (const auto& cell : cells) cell->feed().stop();
}

json::object FactKeeper::status() const {
  const auto cells = state_->cell_list();
  std::vector<std::size_t> counts;
  {
    const std::lock_guard lock(state_->facts_mutex);
    counts.push_back(state_->mappings.size());
    for (const auto& cell : cells) counts.push_back(state_->hosts.services_of(cell->cell()));
  }
  json::array databases{status_of(state_->api, counts[0])};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto entry = status_of(cells[i]->feed(), counts[i + 1]);
    entry["disabled"] = cells[i]->cell().is_disabled;
    databases.push_back(std::move(entry));
  }
  return {{"databases", std::move(databases)}};
}

std::vector<std::string> FactKeeper::unready_reasons() const {
  std::vector<std::string> reasons;
  if (auto trouble = state_->api.trouble(); !trouble.empty()) reasons.push_back(std::move(trouble));
  std::vector<std::string> of_cells;
  std::size_t enabled = 0;
  for (const auto& cell : state_->cell_list()) {
    if (cell->cell().is_disabled) continue;
    ++enabled;
    if (auto trouble = cell->feed().trouble(); !trouble.empty()) of_cells.push_back(std::move(trouble));
  }
  if (enabled > 0 && of_cells.size() == enabled) reasons.insert(reasons.end(), of_cells.begin(), of_cells.end());
  return reasons;
}

std::vector<std::string> FactKeeper::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& cell : state_->cell_list()) {
    if (cell->cell().is_disabled) continue;
    if (auto trouble = cell->feed().trouble(); !trouble.empty()) warnings.push_back(std::move(trouble));
  }
  const std::lock_guard lock(state_->facts_mutex);
  warnings.insert(warnings.end(), state_->standing_warnings.begin(), state_->standing_warnings.end());
  warnings.insert(warnings.end(), state_->refused_cells.begin(), state_->refused_cells.end());
  if (const auto& hosts = state_->hosts.without_service(); !hosts.empty())
    warnings.push_back("hosts without a service of a nova-compute are passed over: " + list_of(hosts));
  if (const auto& hosts = state_->hosts.in_two_cells(); !hosts.empty())
    warnings.push_back("hosts are in two cells, of which the later one's rows are used: " + list_of(hosts));
  return warnings;
}

}  // namespace gantry::nova
