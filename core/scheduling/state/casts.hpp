// SPDX-License-Identifier: Apache-2.0
//
// The casts that wait for their receivers. A receiver asks by topic and host. A cast is handed out again after a while,
// until the receiver acknowledges it. The queue is memory only; its callers store the casts.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/state/long_poll.hpp"

namespace gantry::scheduling {

struct Cast {
  std::string id;
  std::string topic;
  std::string host;
  std::string node;
  std::string method;
  std::string consumer;  // the instance (or other id) whose claims wait for this cast; may be empty
  json::object args;
  std::int64_t created_at = 0;  // nanoseconds since 1970
  std::uint32_t attempts = 0;   // times handed out since the start
};

// The stored form.
json::object to_json(const Cast& cast);
// Error `internal` if the document lacks the id, the topic or the host.
Result<Cast> cast_from_json(const json::object& document);

// [any thread]
class CastQueue {
 public:
  using Clock = LongPoll::Clock;
  using Receiver = std::function<void(std::vector<Cast>)>;

  CastQueue();

  void add(Cast cast);
  // Adds a cast that is handed out only after `release`. Used while the commit that the cast depends on is under way.
  void hold(Cast cast);
  void release(const std::string& id);
  // Removes a cast. Empty if there is no such cast, or if it was acknowledged before.
  std::optional<Cast> acknowledge(const std::string& id);

  // Waits for casts of the topic to one of the hosts, without blocking the caller. Calls `receiver` once, without
  // holding the mutex: with at most `limit` casts as soon as there is one, or with an empty list at `until`.
  void receive(std::string topic, std::vector<std::string> hosts, std::size_t limit, Clock::time_point until,
               Receiver receiver);
  // Answers every waiting receiver with no casts. From now on `receive` answers at once.
  void stop_waiting();

  // The ids of the casts that a consumer's claims wait for.
  std::vector<std::string> ids_of(const std::string& consumer) const;
  // The topic and host of a cast. Empty if there is no such cast, or if it was acknowledged before.
  std::optional<std::pair<std::string, std::string>> receiver_of(const std::string& id) const;
  struct Waiting {
    Cast cast;                       // without its args
    std::string instance;            // the instance that the cast is about; may be empty
    std::int64_t handed_out_at = 0;  // nanoseconds since 1970, the last time since the start; 0: never
  };
  std::vector<Waiting> waiting() const;  // the released casts, oldest first
  std::vector<std::string> ids() const;
  std::optional<Cast> find(const std::string& id) const;
  std::size_t size() const;

 private:
  struct Entry {
    Cast cast;
    Clock::time_point due;  // the earliest time to hand it out
    std::int64_t handed_out_at = 0;
  };
  struct Wish {
    std::string topic;
    std::vector<std::string> hosts;
    std::size_t limit;
  };
  using Queue = std::multimap<std::int64_t, std::string>;  // created_at -> id

  std::vector<Cast> take(const Wish& wish, Clock::time_point now);

  mutable std::mutex mutex_;
  std::map<std::string, Entry> casts_;
  std::map<std::pair<std::string, std::string>, Queue> queues_;  // (topic, host)
  std::multimap<std::string, std::string> of_consumers_;         // consumer -> id
  LongPoll polls_;
};

}  // namespace gantry::scheduling
