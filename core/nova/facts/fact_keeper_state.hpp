// SPDX-License-Identifier: Apache-2.0
//
// The members of a FactKeeper. Lock order: none of the two locks is taken while the other is held.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/nova/facts/api_reader.hpp"
#include "core/nova/facts/cell_feed.hpp"
#include "core/nova/facts/duties/chore.hpp"
#include "core/nova/facts/duties/host_discovery.hpp"
#include "core/nova/facts/duties/own_service.hpp"
#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/facts/fleet_aggregates.hpp"
#include "core/nova/facts/fleet_hosts.hpp"
#include "core/nova/facts/fleet_instances.hpp"

namespace gantry::nova {

struct FactKeeper::State {
  State(FactSettings its_settings, fleet::Fleet& its_fleet, std::shared_ptr<telemetry::Logger> its_logger,
        telemetry::Counters& its_counters, const DatabaseUrl& api_url);

  // ---- the start
  Result<void> start();
  Result<void> load_api();
  Result<void> start_cells(const std::vector<Cell>& cells);
  // Connects to the cell's database and checks it. A database that is away, or a disabled cell's that is not in order,
  // is noted in the feed, and the connection stays empty.
  Result<DatabaseCheck> check_cell(CellFeed& cell, std::optional<Connection>& connection) const;
  Result<void> start_own_service();
  void start_discovery();

  // ---- feeds
  DatabaseFeed::Setup feed_to(const DatabaseUrl& url) const;
  // Returns the cell with its feed, which has not begun.
  Result<std::shared_ptr<CellFeed>> make_cell(const Cell& cell);
  // Begins to read cells that are new or different, and lets go of those that are gone.
  void set_cells(const std::vector<Cell>& cells);
  void serve(const std::shared_ptr<CellFeed>& cell);
  void retire(std::int64_t cell);
  std::vector<std::shared_ptr<CellFeed>> cell_list() const;
  // The instances of the host are read again, in this cell or in all.
  void mark(const std::string& host, std::optional<std::int64_t> cell) const;

  // ---- facts
  Result<void> read_api(Connection& connection, Depth depth);
  void take_api(const ApiFacts& facts, Clock::time_point begun);
  void take_cell(const CellFeed& cell, const CellFacts& facts, Clock::time_point begun);
  void end_shown_claims(const std::set<std::string>& hosts) const;
  void log(const std::vector<Complaint>& complaints) const;
  void warn(std::string warning);

  // ---- casts
  Result<void> update_aggregates(const json::object& args);
  Result<void> delete_aggregate(const json::object& args);
  Result<void> update_instance_info(const json::object& args);
  Result<void> delete_instance_info(const json::object& args);
  Result<void> sync_instance_info(const json::object& args);
  std::optional<std::int64_t> cell_of(const std::string& host) const;

  const FactSettings settings;
  fleet::Fleet& fleet;
  const std::shared_ptr<telemetry::Logger> logger;
  telemetry::Counters& counters;
  ApiReader api_reader;  // used by the API database's thread
  std::vector<Cell> first_cells;
  bool is_api_loaded = false;
  std::atomic<bool> is_started = false;
  std::atomic<bool> is_stopped = false;
  std::atomic<std::uint64_t> changes = 0;  // how often facts have changed in more than heartbeats

  mutable std::mutex facts_mutex;
  FleetHosts hosts;
  FleetInstances instances;
  FleetAggregates aggregates;
  std::map<std::int64_t, const CellFeed*> served;  // whose facts are taken
  std::map<std::string, std::int64_t> mappings;    // host -> id of its cell
  std::map<std::int64_t, std::string> cell_uuids;  // by id, for all cells
  std::shared_ptr<const NodeNames> names;          // nullptr: to be made
  Collation collation_of_values{true, true};       // the metadata of aggregates
  Collation collation_of_names{true, true};        // hosts and nodes
  std::vector<std::string> standing_warnings;
  std::set<std::string> refused_cells;  // why enabled cells cannot be read

  mutable std::mutex feeds_mutex;
  std::map<std::int64_t, std::shared_ptr<CellFeed>> cells;  // by id
  std::vector<std::shared_ptr<CellFeed>> retired;           // their threads end by and by
  DatabaseFeed api;
  std::unique_ptr<OwnService> own_service;
  std::unique_ptr<HostDiscovery> discovery;
  std::unique_ptr<Chore> reporting;
  std::unique_ptr<Chore> discovering;
};

}  // namespace gantry::nova
