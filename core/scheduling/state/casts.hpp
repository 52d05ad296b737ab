// SPDX-License-Identifier: Apache-2.0
//
// Casts that wait for their receivers: handed out to who asks for its topic and host, again after a while until they
// are acknowledged, and awaited by long polls. Storing them is the caller's concern.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

struct Cast {
  std::string id;
  std::string topic;
  std::string host;
  std::string node;
  std::string method;
  std::string consumer;  // the instance (or other id) whose claim waits for it; may be empty
  json::object args;
  std::int64_t created_at = 0;  // nanoseconds since 1970
  std::uint32_t attempts = 0;   // times handed out since the start
};

json::object to_json(const Cast& cast);
Result<Cast> cast_from_json(const json::object& document);

// [any thread] Callbacks run on the thread that made them due, with no lock held.
class CastQueue {
 public:
  using Clock = std::chrono::steady_clock;
  using Receiver = std::function<void(std::vector<Cast>)>;

  CastQueue();
  ~CastQueue();

  void add(Cast cast);
  // Known from now on, but handed out only once it is released, for before the commit that it depends on.
  void hold(Cast cast);
  void release(const std::string& id);
  // The ids of those that a consumer's claims wait for.
  std::vector<std::string> ids_of(const std::string& consumer) const;
  // The topic and host that a cast waits for; nullopt: no such cast, or acknowledged before.
  std::optional<std::pair<std::string, std::string>> receiver_of(const std::string& id) const;
  // nullopt: no such cast, or acknowledged before.
  std::optional<Cast> acknowledge(const std::string& id);
  // Calls `receiver` once: with casts as soon as there are any for the topic and one of the hosts, with none at
  // `until`.
  void receive(std::string topic, std::vector<std::string> hosts, std::size_t limit, Clock::time_point until,
               Receiver receiver);
  struct Waiting {
    Cast cast;                       // without its args
    std::string instance;            // that it is about; may be empty
    std::int64_t handed_out_at = 0;  // nanoseconds since 1970, the last time since the start; 0: never
  };
  std::vector<Waiting> waiting() const;  // those released, oldest first
  std::vector<std::string> ids() const;
  std::optional<Cast> find(const std::string& id) const;
  std::size_t size() const;
  // Answers every waiting receiver with nothing; from now on receive answers at once.
  void stop_waiting();

 private:
  struct Entry {
    Cast cast;
    Clock::time_point due;  // handed out at the earliest then
    std::int64_t handed_out_at = 0;
  };
  struct Waiter {
    std::string topic;
    std::vector<std::string> hosts;
    std::size_t limit;
    Clock::time_point until;
    Receiver receiver;
  };
  using Queue = std::multimap<std::int64_t, std::string>;  // created_at -> id
  using Ready = std::vector<std::pair<Receiver, std::vector<Cast>>>;

  std::vector<Cast> take(const Waiter& waiter, Clock::time_point now);
  Clock::time_point serve(Clock::time_point now, Ready& ready);  // when to look again
  void run();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Entry> casts_;
  std::map<std::pair<std::string, std::string>, Queue> queues_;  // (topic, host)
  std::multimap<std::string, std::string> of_consumers_;         // consumer -> id
  std::vector<Waiter> waiters_;
  bool waiting_stopped_ = false;
  bool ending_ = false;
  std::thread clock_;
};

}  // namespace gantry::scheduling
