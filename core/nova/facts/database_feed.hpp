// SPDX-License-Identifier: Apache-2.0
//
// A thread that reads one database again and again: when somebody asks, and whole every few seconds. While the database
// is away, the thread connects again after 1 to 30 seconds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

class DatabaseFeed {
 public:
  using Clock = std::chrono::steady_clock;

  struct Setup {
    std::string name;  // in words: "API database", "cell 'cell1'"
    DatabaseUrl url;
    Timeouts timeouts;
    std::chrono::milliseconds whole_interval{5'000};
    // True: who waits for this database waits until it is back. False: while the database is away, no caller waits for it.
    bool is_needed = false;
    // Reads the database, and takes the facts over. Called by one thread at a time.
    std::function<Result<void>(Connection&, Depth)> read;
    std::shared_ptr<telemetry::Logger> logger;
    telemetry::Counters* counters = nullptr;
  };
  struct Status {
    bool is_connected = false;
    std::optional<std::chrono::milliseconds> last_refresh;  // how long the last refresh took
    std::size_t waiting = 0;                                // callers
    std::optional<std::chrono::system_clock::time_point> away_since;
    std::string reason;  // why it is away
  };

  explicit DatabaseFeed(Setup setup);
  ~DatabaseFeed() { stop(); }
  DatabaseFeed(const DatabaseFeed&) = delete;
  DatabaseFeed& operator=(const DatabaseFeed&) = delete;

  // Call one of the two before begin(). The first reads everything over the connection, and blocks. The second says that
  // the database could not be reached.
  Result<void> read_first(Connection connection);
  void set_away(const Error& error);
  void begin();
  // Says that the thread is to end, and waits until it has.
  void stop();
  void ask_to_stop();

  // [any thread] Asks for a refresh that begins after this call, and returns its number.
  std::uint64_t ask();
  // [any thread] Waits until this refresh has ended.
  Result<void> wait(std::uint64_t refresh, Clock::time_point deadline);
  // [any thread] Whether this refresh, or a later one, has succeeded.
  bool has_read(std::uint64_t refresh) const;
  // [any thread] Connects at once if the database is away, and reads it whole.
  void hurry();

  const std::string& name() const { return setup_.name; }
  Status status() const;
  // "API database (nova_api at db1:3306): away since 2026-11-21T09:00:00Z: ...". Empty: it is not away.
  std::string trouble() const;

 private:
  struct Away {
    std::chrono::system_clock::time_point since;
    Error error;
  };

  void run();
  Clock::time_point due() const;
  Depth next_depth(Clock::time_point now) const;
  Result<void> attempt(Depth depth);
  void take(const Result<void>& done, std::uint64_t refresh, Depth depth, Clock::time_point began);
  void note_away(const Error& error);
  void note_back();
  std::string trouble_of(const Away& away) const;

  const Setup setup_;
  std::optional<Connection> connection_;  // the thread's own once it has begun
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t begun_ = 0;   // number of the refresh that began last
  std::uint64_t ended_ = 0;   // number of the last refresh that succeeded
  std::uint64_t wanted_ = 0;  // somebody asked for this refresh, or a later one
  std::size_t waiting_ = 0;
  bool is_connected_ = false;
  bool is_stopping_ = false;
  std::optional<Away> away_;
  std::optional<Clock::duration> last_refresh_;
  Clock::time_point last_attempt_;
  Clock::time_point next_whole_;
  Clock::time_point next_attempt_;  // while the database is away
  std::chrono::seconds pause_{1};   // before the next attempt but one
  std::thread thread_;
};

}  // namespace gantry::nova
