// SPDX-License-Identifier: Apache-2.0
//
// The log of what has happened to instances and services, in the order of the commits. Memory only: it keeps the newest
// few thousand events, and calls may wait for more. Each event has a number that counts from 1 at each start.
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

namespace gantry::scheduling {

struct Event {
  std::string type;  // one of event_types()
  std::string topic;
  std::string host;
  std::string instance;    // uuid; empty: the event is not about an instance
  json::object more = {};  // what changed; no secrets
  std::string request_id = {};
  std::int64_t at = 0;       // nanoseconds since 1970; given by the log
  std::uint64_t number = 0;  // from 1; given by the log
};

std::span<const std::string_view> event_types();

struct State;

// Selects the events that a call receives. An unset member admits every event.
struct EventFilter {
  std::vector<std::string> types;  // "instance.error", or "instance" for all of its kind
  std::optional<std::string> host;
  std::optional<std::string> instance;
  std::size_t limit = 100;
};

// [any thread]
class EventLog {
 public:
  using Clock = LongPoll::Clock;
  struct Page {
    std::vector<Event> events;
    std::uint64_t seen = 0;    // the number of the last event that was looked at
    std::uint64_t missed = 0;  // how many events after `after` have been evicted
  };
  using Receiver = std::function<void(Page)>;

  explicit EventLog(std::size_t most_kept = 10'000);

  // Appends the events. `now`: nanoseconds since 1970.
  void tell(std::vector<Event> events, std::int64_t now);
  // The number of the newest event. 0 if there is none.
  std::uint64_t newest() const;
  // The number before that of the oldest kept event.
  std::uint64_t before_oldest() const;
  // Calls `receiver` once, with the mutex free: as soon as there is a wanted event after the number `after`, or as soon
  // as one may have been missed; with no events at `until`.
  void receive(std::uint64_t after, EventFilter filter, Clock::time_point until, Receiver receiver);
  // Answers every waiting receiver. From now on `receive` answers at once.
  void stop_waiting();

 private:
  Page look(std::uint64_t after, const EventFilter& filter) const;

  const std::size_t most_kept_;
  mutable std::mutex mutex_;
  std::deque<Event> kept_;
  std::uint64_t told_ = 0;
  LongPoll polls_;
};

// Publishes the events of a call. Called after the commit that they are part of.
void tell(State& state, std::vector<Event> events, const std::string& request_id);

}  // namespace gantry::scheduling
