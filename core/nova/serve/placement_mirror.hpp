// SPDX-License-Identifier: Apache-2.0
//
// The mirror in service: placement's providers in memory, read from placement's database by a thread of its own, and the
// questions that are answered from them. Placement is asked where the mirror has no answer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/nova/facts/database_feed.hpp"
#include "core/nova/mirror/database/provider_reader.hpp"
#include "core/nova/mirror/provider_state.hpp"
#include "core/nova/placement/candidate_set.hpp"

namespace gantry::nova {

// [any thread]
class PlacementMirror {
 public:
  using Clock = DatabaseFeed::Clock;

  // Checks the database and begins to read it. Fails with the table, column or GRANT that lacks. A database that is away
  // is a warning: placement is asked until the database is back. `database_url` holds a password, which no message has.
  static Result<std::unique_ptr<PlacementMirror>> start(const std::string& database_url, Timeouts timeouts,
                                                        const std::shared_ptr<telemetry::Logger>& logger,
                                                        telemetry::Counters& counters);
  ~PlacementMirror() { feed_->stop(); }
  PlacementMirror(const PlacementMirror&) = delete;
  PlacementMirror& operator=(const PlacementMirror&) = delete;

  // Asks for a refresh that begins after this call, and returns its number.
  std::uint64_t ask() { return feed_->ask(); }
  // Waits for the refresh. False: placement is to be asked.
  bool wait(std::uint64_t refresh, Clock::time_point deadline);

  // The candidates of the query, as of the last refresh. nullptr: placement is to be asked.
  std::shared_ptr<const CandidateSet> find(const std::string& query);
  // Whether the claims fit together, as of the last refresh: see have_room_together.
  bool has_room_for(std::span<const std::string> allocation_requests) const;
  // The next refresh reads the provider and all below it. `root` is the uuid of a compute node.
  void mark(const std::string& root);
  // Another number once a provider or a name has changed.
  std::uint64_t version() const;

  // Placement is asked from now on, until the process ends.
  void step_down(std::string reason);
  json::object status() const;
  // Why placement is asked. Empty: it is not.
  std::string trouble() const;

 private:
  PlacementMirror(std::shared_ptr<telemetry::Logger> logger, telemetry::Counters& counters)
      : logger_(std::move(logger)), counters_(counters) {}

  Result<void> read(Connection& connection, Depth depth);
  Result<void> read_into_state(Connection& connection, const std::vector<std::string>& marked, Depth depth);
  Result<void> take(ProviderRead read);

  std::shared_ptr<telemetry::Logger> logger_;
  telemetry::Counters& counters_;
  ProviderReader reader_;   // the feed's thread's own
  bool is_loaded_ = false;  // the feed's thread's own
  mutable std::mutex mutex_;
  std::unique_ptr<ProviderState> state_ = std::make_unique<ProviderState>();
  std::uint64_t version_ = 0;
  std::set<std::string> marked_;
  std::string stepped_down_;            // why. Empty: it has not
  std::unique_ptr<DatabaseFeed> feed_;  // last: its thread uses the others
};

}  // namespace gantry::nova
