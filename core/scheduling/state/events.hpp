// SPDX-License-Identifier: Apache-2.0
//
// The log of events: what has happened to instances and services, in the order of the commits. The log is memory only.
// It keeps the newest events, a bounded number with a bounded number of bytes, and calls may wait for the next ones. Events are numbered, from 1 at each
// start of the service.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/scheduling/state/long_poll.hpp"
#include "core/scheduling/state/service_limits.hpp"

namespace gantry::scheduling {

struct Event {
  std::string type;  // one of event_types()
  std::string topic;
  std::string host;
  std::string instance;    // uuid; empty: the event is not about an instance
  json::object more = {};  // what changed; no secrets
  std::string request_id = {};
  std::string who = {};      // the caller; empty: the event comes from no call
  std::int64_t at = 0;       // nanoseconds since 1970; set by the log
  std::uint64_t number = 0;  // from 1; set by the log
  std::size_t bytes = 0;     // about, as JSON; set by the log
};

// Returns the types that an event may have, for example "instance.error", sorted.
std::span<const std::string_view> event_types();

struct State;

// Selects the events that a call receives. An empty or unset condition admits every event.
struct EventFilter {
  std::vector<std::string> types;  // "instance.error", or "instance" for all types that begin with "instance."
  std::optional<std::string> host;
  std::optional<std::string> instance;
  std::size_t limit = 100;  // the most events of one answer
};

// [any thread]
class EventLog {
 public:
  using Clock = LongPoll::Clock;
  // The answer to one receive().
  struct Page {
    std::vector<Event> events;
    std::uint64_t seen = 0;    // the number of the last event that was looked at: the `after` of the next receive()
    std::uint64_t missed = 0;  // how many events after `after` were evicted before this call could look at them
  };
  using Receiver = std::function<void(Page)>;

  // When the log holds more events, or more bytes of them, it evicts the oldest.
  explicit EventLog(std::size_t most_kept = ServiceLimits{}.events,
                    std::size_t most_bytes = ServiceLimits{}.event_bytes);

  // Appends the events, each of them without what changed where that is too much for the log, and answers the receivers that wait for them. `now`: nanoseconds since 1970.
  void tell(std::vector<Event> events, std::int64_t now);
  // Returns the number of the newest event. 0 if there is none.
  std::uint64_t newest() const;
  // Returns one less than the number of the oldest kept event: the `after` with which receive() begins there.
  std::uint64_t before_oldest() const;
  // Returns the kept events after the number `after` that the filter admits: fewer than its limit if these have some 8 MiB.
  Page read(std::uint64_t after, const EventFilter& filter) const;
  // Calls `receiver` once: as soon as the filter admits an event with a number above `after`, or as soon as events
  // after `after` were evicted. At `until` the receiver gets a page without events. The log's mutex is not held then.
  void receive(std::uint64_t after, EventFilter filter, Clock::time_point until, Receiver receiver);
  // Calls every receiver that waits. Later receivers wait as before.
  void end_waits() { polls_.end_waits(); }
  // Calls every receiver that waits. From now on receive() calls its receiver at once.
  void stop_waiting();

 private:
  Page look(std::uint64_t after, const EventFilter& filter) const;

  const std::size_t most_kept_;
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::deque<Event> kept_;
  std::size_t bytes_ = 0;  // the size of kept_
  std::uint64_t told_ = 0;
  LongPoll polls_;
};

// The call that events come from. Empty: they come from no call.
struct Origin {
  std::string request_id = {};
  std::string who = {};
};

// Appends the events of a call to State::events, and logs which services are down and up. Called after the call's
// commit.
void tell(State& state, std::vector<Event> events, const Origin& origin);

}  // namespace gantry::scheduling
