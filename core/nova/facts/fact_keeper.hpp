// SPDX-License-Identifier: Apache-2.0
//
// Keeps the facts of Nova's databases in the fleet: services, compute nodes, aggregates, and which instance is on which
// host. One thread reads the API database, one each cell. A request asks for a refresh, and is decided on facts
// that were read after the request arrived. Between requests the databases are read whole every few seconds.
//
//   DatabaseFeed, one a database ── ApiReader, CellReader ──> HostFacts, InstanceFacts ──> fleet::Fleet
//                                                    casts ──>
//
// The keeper alone puts facts of topic compute. Ratios that a row lacks are those of the fleet's settings.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"
#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/fact_snapshot.hpp"
#include "core/nova/request/nova_release.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

struct FactSettings {
  // URLs as SQLAlchemy has them. They hold passwords, which no message repeats.
  std::string database_connection;      // [database]: fills the templates of cells, and has the own row in `services`
  std::string api_database_connection;  // [api_database]
  NovaRelease release = nova_releases.back();  // the deployment's
  std::string host;        // the name of this scheduler, as `openstack compute service list` shows it
  bool has_duties = true;  // false: nothing is written, neither the own row nor new hosts
  std::chrono::milliseconds report_interval{10'000};
  std::chrono::milliseconds first_report{5'000};          // after the start
  std::chrono::milliseconds discover_hosts_interval{-1};  // below 1: hosts are not discovered
  bool disable_compute_service_check_for_ffu = false;
  std::chrono::milliseconds whole_interval{5'000};  // between two refreshes that also read heartbeats
  Timeouts timeouts{std::chrono::seconds(10), std::chrono::seconds(20), std::chrono::seconds(20)};
};

class FactKeeper {
 public:
  using Clock = std::chrono::steady_clock;

  // Checks the databases, writes the own row in `services`, loads all facts into the fleet, and begins to refresh them.
  // Fails with all that lacks at once, each by its name. A cell that does not answer is a warning: its hosts come when
  // the cell is back. A disabled cell may lack anything. The fleet and the counters outlive the keeper.
  static Result<std::unique_ptr<FactKeeper>> start(FactSettings settings, fleet::Fleet& fleet,
                                                   std::shared_ptr<telemetry::Logger> logger,
                                                   telemetry::Counters& counters);
  ~FactKeeper();
  FactKeeper(const FactKeeper&) = delete;
  FactKeeper& operator=(const FactKeeper&) = delete;

  // [any thread] Blocks until the fleet has facts that were read after this call. Callers that wait share a refresh. A
  // cell that is away is left out. Fails with `unavailable`, and the database's name, if facts are not read by the
  // deadline.
  Result<void> refresh(Clock::time_point deadline);

  // [any thread] The facts that a request's question for placement needs, as of the last refresh. Never nullptr.
  std::shared_ptr<const FactSnapshot> snapshot() const;

  // [any thread] Returns a number that is another one once the fleet's facts have changed in more than heartbeats.
  std::uint64_t changes() const;

  // [any thread] Takes a cast of Nova: update_aggregates, delete_aggregate, update_instance_info, delete_instance_info
  // or sync_instance_info, with its arguments as they came. Its facts are in the fleet when the call returns; a refresh
  // that begins later reads them again. Fails with `invalid_argument` if the arguments cannot be read.
  Result<void> apply(std::string_view method, const json::object& args);
  // [any thread] Reads the instances of all hosts with the next refresh. Call after casts may have been lost.
  void reload_instances();

  // [any thread] Reads cells and host mappings again, and connects at once to what is away. For SIGHUP.
  void reload();

  // Ends all threads, and waits until their last queries are answered or have timed out. A refresh that waits fails with
  // `unavailable`. The facts stay in the fleet.
  void stop();

  // [any thread]
  json::object status() const;
  std::vector<std::string> unready_reasons() const;  // sentences
  std::vector<std::string> warnings() const;         // sentences

 private:
  struct State;
  explicit FactKeeper(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gantry::nova
