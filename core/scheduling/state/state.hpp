// SPDX-License-Identifier: Apache-2.0
//
// The state that the methods work on: the parts of the service and the facts in memory. Also the outcome of a method:
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
#include <shared_mutex>
#include <string>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/encoding/time.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/authority.hpp"
#include "core/scheduling/manager.hpp"
#include "core/scheduling/policy_services.hpp"
#include "core/scheduling/profiles/profiles.hpp"
#include "core/scheduling/reloads.hpp"
#include "core/scheduling/restarts.hpp"
#include "core/scheduling/state/access_tokens.hpp"
#include "core/scheduling/state/build_failures.hpp"
#include "core/scheduling/state/capacity_answers.hpp"
#include "core/scheduling/state/casts.hpp"
#include "core/scheduling/state/decision_log.hpp"
#include "core/scheduling/state/events.hpp"
#include "core/scheduling/state/fallbacks.hpp"
#include "core/scheduling/state/health.hpp"
#include "core/scheduling/state/heartbeats.hpp"
#include "core/scheduling/state/instruments.hpp"
#include "core/scheduling/state/list_change.hpp"
#include "core/scheduling/state/recent_decisions.hpp"
#include "core/scheduling/state/report_watch.hpp"
#include "core/scheduling/state/service_limits.hpp"
#include "core/scheduling/state/service_watch.hpp"
#include "core/scheduling/state/statistics.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::scheduling {

struct ManagerSettings {
  std::chrono::milliseconds call_timeout{10'000};  // a driver's deadline
  bool log_full_requests = false;                  // true: log lines show what users wrote into their requests, too
  std::uint32_t max_attempts = 3;                  // the default number of hosts for an instance, alternates included
  std::vector<config::Profile> profiles = {};      // which driver of topic compute decides a request
  bool profiles_required = false;                  // a request that no profile takes finds no host
  bool avoid_failing_hosts = true;                 // a host that fails a kind of build again and again is used last
  // The interval between two log lines about the progress of a long start or stop.
  std::chrono::milliseconds progress_interval{3'000};
  // The interval between two sweeps, which end old claims, evict old answers and find services that went silent.
  std::chrono::milliseconds housekeeping{1'000};
  // The interval between two batches of heartbeats for the store.
  std::chrono::milliseconds heartbeats{5'000};
  // Set to repeat an earlier decision. `decides_at` (nanoseconds since 1970) replaces the clock of decisions, `seed`
  // replaces the random seed of each call.
  std::optional<std::int64_t> decides_at = {};
  std::optional<std::uint64_t> seed = {};
  ServiceLimits limits = {};
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
  // Has a say about topic compute. nullptr: there is none.
  Authority* authority = nullptr;
  // How decisions are kept. nullopt: they are not.
  std::optional<DecisionLogSettings> decisions = {};
  // Returns the configuration for people, without secrets: a list of {key, value, origin}. May be empty.
  std::function<json::array()> configuration = {};
  // Reads the configuration again. nullptr: this process has none.
  Reloads* reloads = nullptr;
  // Begins restarts without loss. nullptr: this process starts no other.
  Restarts* restarts = nullptr;
  // Answers drivers. nullptr: no policy service is configured.
  PolicyServices* policy_services = nullptr;
};

// Logs the progress of a long start or stop and passes it to Parts::progress. `doing` names the work, for example
// "reading the store", and `text` says how far it is.
void say_progress(const Parts& parts, std::string_view doing, const std::string& text);

// Settings that a reload of the configuration changes. Each may change between two reads of one call.
struct ChangeableSettings {
  explicit ChangeableSettings(const ManagerSettings& settings) { take(settings); }
  void take(const ManagerSettings& settings) {
    call_timeout = settings.call_timeout;
    log_full_requests = settings.log_full_requests;
    max_attempts = settings.max_attempts;
    avoid_failing_hosts = settings.avoid_failing_hosts;
  }

  std::atomic<std::chrono::milliseconds> call_timeout;
  std::atomic<bool> log_full_requests;
  std::atomic<std::uint32_t> max_attempts;
  std::atomic<bool> avoid_failing_hosts;
};

// The parts of the service and the facts in memory.
struct State {
  explicit State(Parts given);
  Parts parts;
  ChangeableSettings changeable;  // hold instead of the same members of parts.settings
  // Held exclusively while a reload changes settings. Held shared while a decision takes the moment and the driver
  // instances that it begins with.
  mutable std::shared_mutex settings_mutex;
  std::shared_ptr<const Profiles> profiles;  // guarded by settings_mutex
  CastQueue casts;
  AccessTokens tokens;
  EventLog events;
  ServiceWatch watch;
  ReportWatch reports;
  Heartbeats heartbeats;
  Health health;
  const std::unique_ptr<Instruments> instruments;
  StatisticsBaseline statistics;  // the start of the counts of gantry stats
  CapacityAnswers capacity_answers;
  BuildFailures build_failures;
  Fallbacks fallbacks;
  RecentDecisions recent_decisions;  // decisions that an authority had a say in
  DecisionLog decisions;
  // Examines the whole state and calls its argument with the result. Set by the manager.
  std::function<void(Done)> examine;
  // Runs a reload of the configuration. Set by the manager.
  std::function<void(const MethodCall&, const Done&)> reload;
  std::mutex last_reload_mutex;             // guards `last_reload`
  std::optional<json::object> last_reload;  // for `status`; nullopt: there was no reload
  const std::string run_id;                 // random, new at each start
  // Held from a change of facts in memory until the batch with that change is submitted: store and memory then see
  // changes in the same order. The store holds the mutex while it undoes failed batches. A decision claims without the
  // mutex, and locks it to confirm the claims.
  std::mutex changes;
  std::mutex placing_mutex;       // guards `placing`
  std::set<std::string> placing;  // uuids of the instances that schedule_run_instance is deciding about
  std::atomic<std::int64_t> next_aggregate_id{1};
  std::int64_t started_at = 0;         // by the system clock
  std::int64_t steady_started_at = 0;  // in steady time
};

// The result of a method. The service manager stores `batch` and `claims` as one transaction. The reply follows the
// commit, or is given at once if both are empty and `in_turn` is not set. If the commit fails, `undo` is called and
// `claims` are rolled back, both under State::changes.
struct Outcome {
  std::unique_lock<std::mutex> changes_lock;  // holds State::changes if the method changed facts or claims
  Answer reply = json::value(nullptr);
  store::Batch batch;
  fleet::ClaimChanges claims;
  // True: the reply does not wait for the commit, and claims whose commit fails are stored again later. Not to be
  // combined with `events`, `committed` or `undo`.
  bool write_behind = false;
  // True: the method stores nothing, but what it found in memory may be on its way to the store. The reply waits for
  // the batches that were submitted before, and is an error if these fail.
  bool in_turn = false;
  // True: the audit log tells of the call although it stores nothing.
  bool is_audited = false;
  // The lists of the audited object that may have changed. They are not compared.
  std::vector<ListChange> list_changes;
  // The line about a decision. It is written when the outcome is known: as it is, or as the failure that the reply or
  // the commit became.
  std::optional<telemetry::Line> line;
  std::vector<Event> events;        // published after the commit, or at once if nothing is stored; before the reply
  std::function<void()> committed;  // called after the commit, before the reply
  std::function<void()> undo;       // restores the facts that the method changed in memory; claims are not its concern
};

// Locks State::changes and returns an empty outcome that holds the lock. A method calls this before it changes facts.
inline Outcome changing(State& state) {
  Outcome outcome;
  outcome.changes_lock = std::unique_lock(state.changes);
  return outcome;
}

inline Outcome failed(Error error, std::optional<telemetry::Line> line = {}) {
  Outcome outcome;
  outcome.reply = std::move(error);
  outcome.line = std::move(line);
  return outcome;
}

// Returns the time of the system clock, in nanoseconds since 1970.
std::int64_t now_nanoseconds();
// Returns steady time, by which ages are judged: the system clock's time at the start of the process, and how long the
// process has run since. No step of the system clock moves steady time.
std::int64_t steady_nanoseconds();
// Returns by how much the system clock was stepped since the start of the process. 0 for less than a second.
std::int64_t clock_steps();
// Returns a time as text, for example "2026-11-21T09:00:00.123456Z". null for 0.
json::value time_json(std::int64_t nanoseconds);

// Returns the change that stores the record's JSON under the key.
template <class Record>
store::Change stored(store::Kind kind, std::string key, const Record& record) {
  std::array<unsigned char, 4096> room;
  boost::json::monotonic_resource memory(room.data(), room.size());
  return {kind, std::move(key), json::write(to_json(record, &memory))};
}
// Returns the change that erases the document of the key.
inline store::Change erased(store::Kind kind, std::string key) {
  return {kind, std::move(key), std::nullopt};
}

// The keys of documents in the store, for example "compute/c1". service_key is also the key of capabilities.
std::string key_of(const fleet::Claim& claim);
std::string compute_node_key(std::string_view topic, std::string_view host, std::string_view node);
std::string service_key(std::string_view topic, std::string_view host);

}  // namespace gantry::scheduling
