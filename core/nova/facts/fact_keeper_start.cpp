// SPDX-License-Identifier: Apache-2.0
//
// The start: every database is checked before any fact is taken or any row is written.
#include <algorithm>

#include "core/nova/facts/fact_keeper_state.hpp"

namespace gantry::nova {

namespace {

// Whether a later try may succeed without anybody's doing.
bool is_away(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::deadline_exceeded;
}

Error joined(const std::vector<std::string>& failures) {
  std::string text;
  for (const auto& failure : failures) text += (text.empty() ? "" : "; ") + failure;
  return {ErrorCode::failed_precondition, std::move(text), {}};
}

}  // namespace

Result<std::unique_ptr<FactKeeper>> FactKeeper::start(FactSettings settings, fleet::Fleet& fleet,
                                                      std::shared_ptr<telemetry::Logger> logger,
                                                      telemetry::Counters& counters) {
  const auto url = parse_database_url(settings.api_database_connection);
  if (!url) return Error(url.error()).within("[api_database] connection");
  auto state = std::make_unique<State>(std::move(settings), fleet, std::move(logger), counters, *url);
  std::unique_ptr<FactKeeper> keeper(new FactKeeper(std::move(state)));
  if (auto done = keeper->state_->start(); !done) return std::move(done).error();
  static_cast<void>(keeper->snapshot());  // made now, so that no request waits for the first one
  return keeper;
}

Result<void> FactKeeper::State::start() {
  auto done = load_api();
  if (done) done = start_cells(first_cells);
  if (done && settings.has_duties) done = start_own_service();
  if (!done) return done;
  is_started = true;
  api.begin();
  for (const auto& cell : cell_list()) cell->feed().begin();
  if (settings.has_duties) start_discovery();
  return {};
}

Result<void> FactKeeper::State::load_api() {
  auto url = parse_database_url(settings.api_database_connection);
  if (!url) return std::move(url).error();
  auto connection = Connection::open(*url, settings.timeouts);
  if (!connection) return std::move(connection).error().within("[api_database] connection");
  auto check = check_database(*connection, api_tables, settings.release.title);
  if (!check) return std::move(check).error();
  if (!check->failures.empty()) return joined(check->failures);
  for (const auto& warning : check->warnings) warn(warning);
  auto collation = read_collation(*connection, aggregate_metadata.name, "value");
  if (!collation) return std::move(collation).error();
  collation_of_values = *collation;
  return api.read_first(*std::move(connection));
}

Result<DatabaseCheck> FactKeeper::State::check_cell(CellFeed& cell, std::optional<Connection>& connection) const {
  auto opened = Connection::open(cell.url(), settings.timeouts);
  auto check = opened ? cell.check(*opened) : Result<DatabaseCheck>(opened.error());
  if (check && check->failures.empty()) {
    connection = *std::move(opened);
    return check;
  }
  if (cell.cell().is_disabled || (!check && is_away(check.error()))) {
    cell.feed().set_away(check ? joined(check->failures) : check.error());
    return DatabaseCheck{};
  }
  if (!check) return Error(check.error()).within("cell '" + cell.cell().name + "'");
  return check;
}

Result<void> FactKeeper::State::start_cells(const std::vector<Cell>& wanted) {
  std::vector<std::string> failures;
  std::vector<std::pair<std::shared_ptr<CellFeed>, std::optional<Connection>>> checked;
  std::vector<std::int64_t> lowest;
  for (const auto& cell : wanted) {
    auto made = make_cell(cell);
    if (!made) {
      if (cell.is_disabled)
        logger->write(telemetry::Level::warning, "a disabled cell cannot be read", {{"reason", made.error().message}});
      else
        failures.push_back(made.error().message);
      continue;
    }
    auto& [feed, connection] = checked.emplace_back(*made, std::nullopt);
    const auto check = check_cell(*feed, connection);
    if (!check) {
      failures.push_back(check.error().message);
      continue;
    }
    failures.insert(failures.end(), check->failures.begin(), check->failures.end());
    for (const auto& warning : check->warnings) warn(warning);
    if (connection) lowest.push_back(feed->lowest_version());
  }
  if (wanted.empty()) warn("table cell_mappings has no cell but cell0: there are no hosts");
  if (!failures.empty()) return joined(failures);
  if (auto done = check_compute_versions(lowest, settings.release); !done) {
    if (!settings.disable_compute_service_check_for_ffu) return done;
    warn(done.error().message);
  }
  for (auto& [cell, connection] : checked) {
    serve(cell);
    if (!connection) continue;
    auto done = cell->feed().read_first(*std::move(connection));
    if (!done && !is_away(done.error()) && !cell->cell().is_disabled) return done;
    if (!done) cell->feed().set_away(done.error());
  }
  return {};
}

Result<void> FactKeeper::State::start_own_service() {
  const auto url = parse_database_url(settings.database_connection);
  if (!url) return Error(url.error()).within("[database] connection");
  own_service = std::make_unique<OwnService>(*url, settings.timeouts, settings.host, logger);
  if (auto done = own_service->enter(); !done) {
    auto error = std::move(done).error().within("the own row in the table services");
    if (!is_away(error)) return error;
    logger->write(telemetry::Level::warning, error.message);
  }
  reporting =
      std::make_unique<Chore>(settings.first_report, settings.report_interval, [this] { own_service->report(); });
  return {};
}

void FactKeeper::State::start_discovery() {
  if (settings.discover_hosts_interval.count() < 1) return;
  const auto url = parse_database_url(settings.api_database_connection);
  if (!url) return;
  discovery = std::make_unique<HostDiscovery>(*url, settings.timeouts, logger);
  const auto interval = settings.discover_hosts_interval;
  discovering = std::make_unique<Chore>(interval, interval, [this] {
    std::vector<HostDiscovery::CellDatabase> databases;
    for (const auto& cell : cell_list()) databases.push_back({cell->cell().id, cell->cell().name, cell->url()});
    discovery->run(databases);
  });
}

}  // namespace gantry::nova
