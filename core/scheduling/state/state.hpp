// SPDX-License-Identifier: Apache-2.0
//
// The state that the methods work on: the parts of the service and the facts in memory. And the outcome of a method:
// its reply and its changes to the store.
#pragma once

#include <array>
#include <atomic>
#include <boost/json/monotonic_resource.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/encoding/time.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/access_tokens.hpp"
#include "core/scheduling/state/casts.hpp"
#include "core/scheduling/state/events.hpp"
#include "core/scheduling/state/service_watch.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::scheduling {

struct ManagerSettings {
  std::chrono::milliseconds call_timeout{10'000};  // a driver's deadline
  std::uint32_t max_attempts = 3;                  // a destination and its alternates
  // The interval between two log lines about the progress of a long start or stop.
  std::chrono::milliseconds progress_interval{3'000};
  // The interval between two sweeps, which end old claims, evict old answers and find services that went silent.
  std::chrono::milliseconds housekeeping{1'000};
  // Set to repeat a decision of another time: replace the clock and each call's random seed.
  std::optional<std::int64_t> decides_at = {};
  std::optional<std::uint64_t> seed = {};
};

// The parts of the service. The daemon or a test owns them. They outlive the manager.
struct Parts {
  fleet::Fleet& fleet;
  store::Store& store;
  const drivers::DriverSet& drivers;
  std::shared_ptr<telemetry::Logger> logger;
  std::shared_ptr<telemetry::Counters> counters;
  ManagerSettings settings;
  // Called with the progress of a long start or stop, which is also logged. May be empty.
  std::function<void(const std::string& text)> progress = {};
};

// Logs the progress of a long start or stop and passes it to Parts::progress.
void say_progress(const Parts& parts, std::string_view doing, const std::string& text);

struct State {
  explicit State(Parts given);
  Parts parts;
  CastQueue casts;
  AccessTokens tokens;
  EventLog events;
  ServiceWatch watch;
  // Examines the whole state and calls its argument with the result. Set by the manager.
  std::function<void(Done)> examine;
  const std::string run_id;  // random, new at each start
  // Held from a change of facts in memory until its batch is submitted, so that store and memory see changes in one
  // order; the store holds it while it undoes. A decision claims without it, and takes it to confirm its claims.
  std::mutex changes;
  std::set<std::pair<std::string, std::string>> joining;  // group, member: in memory, not yet submitted
  std::mutex placing_mutex;
  std::set<std::string> placing;  // instances that schedule_run_instance is deciding about
  std::atomic<std::int64_t> next_aggregate_id{1};
  std::int64_t started_at = 0;
};

// The result of a method. The service manager stores `batch` and `claims` as one transaction and gives the reply after
// its commit, at once if both are empty. If the commit fails, the manager calls `undo` and rolls `claims` back, both
// under State::changes.
struct Outcome {
  std::unique_lock<std::mutex> changes_lock;  // of State::changes, where facts or claims have changed
  Answer reply = json::value(nullptr);
  store::Batch batch;
  fleet::ClaimChanges claims;
  bool write_behind = false;        // the reply does not wait for the commit; claims that it fails to store are retried
  std::vector<Event> events;        // published after the commit, before the reply; none where nothing is stored
  std::function<void()> committed;  // called after the commit, before the reply
  std::function<void()> undo;       // restores what the method changed in memory, but for claims
};

// Returns an empty outcome that holds the lock State::changes. A method that changes facts begins with it.
inline Outcome changing(State& state) {
  Outcome outcome;
  outcome.changes_lock = std::unique_lock(state.changes);
  return outcome;
}

inline Outcome failed(Error error) {
  Outcome outcome;
  outcome.reply = std::move(error);
  return outcome;
}

std::int64_t now_nanoseconds();
// "2026-11-21T09:00:00.123456Z"; null for 0.
json::value time_json(std::int64_t nanoseconds);

template <class Record>
store::Change stored(store::Kind kind, std::string key, const Record& record) {
  std::array<unsigned char, 4096> room;
  boost::json::monotonic_resource memory(room.data(), room.size());
  return {kind, std::move(key), json::write(to_json(record, &memory))};
}
inline store::Change erased(store::Kind kind, std::string key) {
  return {kind, std::move(key), std::nullopt};
}

std::string key_of(const fleet::Claim& claim);
std::string compute_node_key(std::string_view topic, std::string_view host, std::string_view node);
std::string service_key(std::string_view topic, std::string_view host);

}  // namespace gantry::scheduling
