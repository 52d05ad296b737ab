// SPDX-License-Identifier: Apache-2.0
//
// A cell: its database's feed and reader, and the hosts whose instances the next refresh reads again.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/nova/facts/cell_reader.hpp"
#include "core/nova/facts/database/collation.hpp"
#include "core/nova/facts/database_feed.hpp"
#include "core/nova/facts/start_check.hpp"

namespace gantry::nova {

class CellFeed {
 public:
  using Clock = DatabaseFeed::Clock;
  // Takes the facts of a refresh that began at `begun`. `collation` is the one of the names of hosts.
  using Take = std::function<void(const CellFeed& cell, const CellFacts& facts, Clock::time_point begun)>;

  // Returns whether the images of instances are to be read.
  using WantsImages = std::function<bool()>;

  // `feed` lacks the name and the function that reads.
  CellFeed(Cell cell, const NovaRelease& release, DatabaseFeed::Setup feed, Take take, WantsImages wants_images);

  // Checks the database before its facts are trusted, and reads the lowest service version of its computes.
  Result<DatabaseCheck> check(Connection& connection);
  std::int64_t lowest_version() const { return lowest_version_; }
  Collation collation() const { return collation_; }

  // [any thread] The next refresh reads all instances of the host.
  void mark(const std::string& host);
  void mark_all();

  const Cell& cell() const { return cell_; }
  const DatabaseUrl& url() const { return url_; }
  DatabaseFeed& feed() { return feed_; }
  const DatabaseFeed& feed() const { return feed_; }

 private:
  Result<void> read(Connection& connection, Depth depth);
  std::vector<std::string> take_marked();
  Connection* beside(Depth depth);

  const Cell cell_;
  const NovaRelease release_;
  const DatabaseUrl url_;
  const Timeouts timeouts_;
  const Take take_;
  const WantsImages wants_images_;
  std::shared_ptr<telemetry::Logger> logger_;
  // ---- of the thread that reads
  CellReader reader_;
  Collation collation_{true, true};
  std::int64_t lowest_version_ = 0;
  bool is_checked_ = false;
  bool is_loaded_ = false;
  std::optional<Connection> beside_;  // reads services at the same time as the feed's connection reads the rest
  // ----
  std::mutex mutex_;
  std::set<std::string> marked_;
  bool are_all_marked_ = false;
  DatabaseFeed feed_;  // last: its thread uses the others
};

}  // namespace gantry::nova
