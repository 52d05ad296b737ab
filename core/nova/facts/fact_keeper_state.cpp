// SPDX-License-Identifier: Apache-2.0
//
// Facts that come from the databases, and the cells that they come from.
#include "core/nova/facts/fact_keeper_state.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

bool changes_something(const ApiFacts& facts) {
  return !facts.host_mappings.empty() || !facts.host_mappings_gone.empty() || !facts.aggregates.empty() ||
         !facts.aggregates_gone.empty();
}

bool changes_something(const CellFacts& facts) {
  return !facts.services.empty() || !facts.services_gone.empty() || !facts.compute_nodes.empty() ||
         !facts.compute_nodes_gone.empty() || !facts.instances.empty() || !facts.instances_gone.empty();
}

bool is_read_alike(const Cell& a, const Cell& b) {
  return a.uuid == b.uuid && a.name == b.name && a.connection == b.connection && a.is_disabled == b.is_disabled;
}

}  // namespace

FactKeeper::State::State(FactSettings its_settings, fleet::Fleet& its_fleet,
                         std::shared_ptr<telemetry::Logger> its_logger, telemetry::Counters& its_counters,
                         const DatabaseUrl& api_url)
    : settings(std::move(its_settings)),
      fleet(its_fleet),
      logger(std::move(its_logger)),
      counters(its_counters),
      hosts(fleet, *logger),
      instances(fleet, hosts),
      aggregates(fleet),
      api([&] {
        auto setup = feed_to(api_url);
        setup.name = "API database";
        setup.is_needed = true;
        setup.read = [this](Connection& connection, Depth depth) { return read_api(connection, depth); };
        return setup;
      }()) {}

DatabaseFeed::Setup FactKeeper::State::feed_to(const DatabaseUrl& url) const {
  DatabaseFeed::Setup setup;
  setup.url = url;
  setup.timeouts = settings.timeouts;
  setup.whole_interval = settings.whole_interval;
  setup.logger = logger;
  setup.counters = &counters;
  return setup;
}

Result<std::shared_ptr<CellFeed>> FactKeeper::State::make_cell(const Cell& cell) {
  const auto url = url_of(cell, settings.database_connection);
  if (!url) return url.error();
  return std::make_shared<CellFeed>(
      cell, settings.release, feed_to(*url),
      [this](const CellFeed& from, const CellFacts& facts, Clock::time_point begun) { take_cell(from, facts, begun); },
      [this] { return fleet.keeps_image_properties(); });
}

void FactKeeper::State::serve(const std::shared_ptr<CellFeed>& cell) {
  {
    const std::lock_guard lock(facts_mutex);
    hosts.add_cell(cell->cell());
    served[cell->cell().id] = cell.get();
  }
  const std::lock_guard lock(feeds_mutex);
  cells[cell->cell().id] = cell;
}

// A thread that waits for a server ends later than this.
void FactKeeper::State::retire(std::int64_t id) {
  {
    const std::lock_guard lock(feeds_mutex);
    const auto cell = cells.find(id);
    if (cell == cells.end()) return;
    cell->second->feed().ask_to_stop();
    retired.push_back(std::move(cell->second));
    cells.erase(cell);
  }
  const std::lock_guard lock(facts_mutex);
  served.erase(id);
  instances.remove_cell(id);
  hosts.remove_cell(id);
}

void FactKeeper::State::set_cells(const std::vector<Cell>& wanted) {
  const auto is_wanted = [&wanted](const Cell& cell) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&cell](const Cell& other) { return other.id == cell.id && is_read_alike(other, cell); });
  };
  std::set<std::int64_t> read;
  for (const auto& cell : cell_list()) {
    if (is_wanted(cell->cell())) {
      read.insert(cell->cell().id);
      continue;
    }
    logger->write(telemetry::Level::info, "a cell is no longer read", {{"cell", cell->cell().name}});
    retire(cell->cell().id);
  }
  std::set<std::string> refused;
  for (const auto& cell : wanted) {
    if (read.contains(cell.id)) continue;
    auto made = make_cell(cell);
    if (!made) {
      if (!cell.is_disabled) refused.insert(made.error().message);
      logger->write(telemetry::Level::error, "a cell cannot be read", {{"reason", made.error().message}});
      continue;
    }
    logger->write(telemetry::Level::info, "a cell is read", {{"cell", cell.name}});
    serve(*made);
    (*made)->feed().begin();
  }
  const std::lock_guard lock(facts_mutex);
  refused_cells = std::move(refused);
}

std::vector<std::shared_ptr<CellFeed>> FactKeeper::State::cell_list() const {
  std::vector<std::shared_ptr<CellFeed>> list;
  const std::lock_guard lock(feeds_mutex);
  for (const auto& [id, cell] : cells) list.push_back(cell);
  return list;
}

void FactKeeper::State::mark(const std::string& host, std::optional<std::int64_t> cell) const {
  const std::lock_guard lock(feeds_mutex);
  for (const auto& [id, feed] : cells) {
    if (!cell || *cell == id) feed->mark(host);
  }
}

Result<void> FactKeeper::State::read_api(Connection& connection, Depth depth) {
  const auto begun = Clock::now();
  auto facts = is_api_loaded ? api_reader.refresh(connection, depth) : api_reader.load(connection);
  if (!facts) return std::move(facts).error();
  is_api_loaded = true;
  take_api(*facts, begun);
  if (facts->has_cells && !is_started)
    first_cells = facts->cells;
  else if (facts->has_cells)
    set_cells(facts->cells);
  return {};
}

void FactKeeper::State::take_api(const ApiFacts& facts, Clock::time_point begun) {
  log(facts.complaints);
  if (changes_something(facts)) ++changes;
  const std::lock_guard lock(facts_mutex);
  aggregates.apply(facts, begun);
  for (const auto& host : facts.host_mappings_gone) mappings.erase(host);
  for (const auto& mapping : facts.host_mappings) mappings[mapping.host] = mapping.cell_id;
  if (facts.has_cells) {
    cell_uuids.clear();
    for (const auto& cell : facts.cells) cell_uuids[cell.id] = cell.uuid;
  }
  if (facts.has_cells || !facts.host_mappings.empty() || !facts.host_mappings_gone.empty()) names.reset();
}

void FactKeeper::State::take_cell(const CellFeed& cell, const CellFacts& facts, Clock::time_point begun) {
  log(facts.complaints);
  std::set<std::string> changed;
  const std::lock_guard lock(facts_mutex);
  const auto id = cell.cell().id;
  // A cell may have been let go of while its database was read.
  if (const auto current = served.find(id); current == served.end() || current->second != &cell) return;
  collation_of_names = cell.collation();
  if (changes_something(facts)) ++changes;
  hosts.apply(id, facts, changed);
  instances.apply(id, facts, begun, changed);
  end_shown_claims(changed);
}

void FactKeeper::State::end_shown_claims(const std::set<std::string>& of_hosts) const {
  fleet::ClaimChanges changes;
  for (const auto& host : of_hosts) fleet.end_shown_claims("compute", host, changes);
  changes.commit();
}

void FactKeeper::State::log(const std::vector<Complaint>& complaints) const {
  for (const auto& complaint : complaints) {
    if (!complaint.is_new) continue;
    counters.add("nova_rows_refused", complaint.table, 1);
    logger->write(telemetry::Level::warning, "a row of Nova's databases cannot be used", {{"row", text_of(complaint)}});
  }
}

void FactKeeper::State::warn(std::string warning) {
  logger->write(telemetry::Level::warning, warning);
  const std::lock_guard lock(facts_mutex);
  standing_warnings.push_back(std::move(warning));
}

}  // namespace gantry::nova
