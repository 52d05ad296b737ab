// SPDX-License-Identifier: Apache-2.0
//
// What has happened to instances and services, told in the order of its commits: the newest few thousand events, and
// who waits for more. Memory alone; a number says of each where it stands in this run of the service.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

struct Event {
  std::string type;  // one of event_types()
  std::string topic;
  std::string host;
  std::string instance;    // uuid; empty: about none
  json::object more = {};  // what changed; no secrets
  std::string request_id = {};
  std::int64_t at = 0;       // nanoseconds since 1970; given by the log
  std::uint64_t number = 0;  // from 1; given by the log
};

std::span<const std::string_view> event_types();

// What a listener wants; what is not set does not matter.
struct EventFilter {
  std::vector<std::string> types;  // "instance.error", or "instance" for all that begin so
  std::optional<std::string> host;
  std::optional<std::string> instance;
  std::size_t limit = 100;
};

// [any thread] Receivers run on a thread of the log, or on that of their own call, with no lock held.
class EventLog {
 public:
  using Clock = std::chrono::steady_clock;
  struct Page {
    std::vector<Event> events;
    std::uint64_t seen = 0;    // the number up to which events have been looked at
    std::uint64_t missed = 0;  // those after `after` that are not kept any more
  };
  using Receiver = std::function<void(Page)>;

  explicit EventLog(std::size_t most_kept = 10'000);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void tell(std::vector<Event> events, std::int64_t now);
  std::uint64_t newest() const;         // 0: none yet
  std::uint64_t before_oldest() const;  // the number before the oldest that is kept
  // Calls `receiver` once: as soon as there is an event after the number that is wanted, or has been missed; with none
  // at `until`.
  void receive(std::uint64_t after, EventFilter filter, Clock::time_point until, Receiver receiver);
  // Answers every waiting receiver; from now on receive answers at once.
  void stop_waiting();

 private:
  struct Waiter {
    std::uint64_t after;
    EventFilter filter;
    Clock::time_point until;
    Receiver receiver;
  };
  using Ready = std::vector<std::pair<Receiver, Page>>;

  Page look(std::uint64_t after, const EventFilter& filter) const;
  Clock::time_point serve(Ready& ready);  // when to look again
  void run();

  const std::size_t most_kept_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> kept_;
  std::uint64_t told_ = 0;
  std::vector<Waiter> waiters_;
  bool waiting_stopped_ = false;
  bool ending_ = false;
  std::thread clock_;
};

}  // namespace gantry::scheduling
