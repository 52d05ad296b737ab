// SPDX-License-Identifier: Apache-2.0
//
// The casts that wait for their receivers. A receiver asks for the casts of its topic and hosts. A cast is handed out
// repeatedly, some time apart, until the receiver acknowledges it. The queue is memory only. Its callers store the
// casts.
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

// A message that asks the service of a topic on a host to run a method.
struct Cast {
  std::string id;
  std::string topic;
  std::string host;
  std::string node;
  std::string method;
  std::string consumer;  // the instance (or other id) whose claims wait for this cast; may be empty
  json::object args;
  std::int64_t created_at = 0;  // nanoseconds since 1970
  std::uint32_t attempts = 0;   // times handed out since the service started
};

// Returns the cast's stored form.
json::object to_json(const Cast& cast);
// Reads the stored form. Error `internal` if the document lacks the id, the topic or the host.
Result<Cast> cast_from_json(const json::object& document);

// [any thread]
class CastQueue {
 public:
  using Clock = LongPoll::Clock;
  using Receiver = std::function<void(std::vector<Cast>)>;

  // `now`: the clock by which casts are handed out again.
  explicit CastQueue(std::function<Clock::time_point()> now = &Clock::now);

  // Adds a cast that may be handed out at once.
  void add(Cast cast);
  // Adds a cast that is not handed out before release() is called for it. Used until the transaction that stores the
  // cast is committed.
  void hold(Cast cast);
  void release(const std::string& id);
  // Removes a cast and returns it. nullopt if the queue has no such cast, for example because it was acknowledged
  // before.
  std::optional<Cast> acknowledge(const std::string& id);

  // Waits for casts of the topic to one of the hosts, without blocking the caller. Calls `receiver` once: with at most
  // `limit` casts, or with fewer if these have some 8 MiB together, as soon as one can be handed out, or with an empty list at `until`. The queue's mutex is not held
  // then.
  void receive(std::string topic, std::vector<std::string> hosts, std::size_t limit, Clock::time_point until,
               Receiver receiver);
  // Calls every receiver that waits, with an empty list if no cast is due. From now on receive() calls its receiver at
  // Calls every receiver that waits. Later receivers wait as before.
  void end_waits() { polls_.end_waits(); }
  // once.
  void stop_waiting();

  // Returns the ids of the casts that a consumer's claims wait for: all, or those of one method.
  std::vector<std::string> ids_of(const std::string& consumer, std::string_view method = {}) const;
  // Returns the topic and host of a cast. nullopt if the queue has no such cast, for example because it was
  // acknowledged.
  std::optional<std::pair<std::string, std::string>> receiver_of(const std::string& id) const;
  // A waiting cast, as operators see it.
  struct Waiting {
    Cast cast;                       // without its args
    std::string instance;            // the instance that the cast is about; may be empty
    std::int64_t handed_out_at = 0;  // the last time, in nanoseconds since 1970; 0: not since the service started
  };
  std::vector<Waiting> waiting() const;  // the released casts, oldest first
  // ids(), find() and size() include the casts that are held.
  std::vector<std::string> ids() const;
  std::optional<Cast> find(const std::string& id) const;
  std::size_t size() const;
  // Returns about how many bytes the casts have as JSON.
  std::size_t bytes() const;
  // Returns when the oldest released cast was created, in nanoseconds since 1970. 0: none waits.
  std::int64_t oldest() const;

 private:
  struct Entry {
    Cast cast;
    Clock::time_point due;  // the earliest time to hand the cast out
    std::int64_t handed_out_at = 0;
    std::size_t bytes = 0;
  };
  struct Wish {  // the arguments of receive()
    std::string topic;
    std::vector<std::string> hosts;
    std::size_t limit;
  };
  using Queue = std::multimap<std::int64_t, std::string>;  // created_at -> id

  std::vector<Cast> take(const Wish& wish);

  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> casts_;
  std::size_t bytes_ = 0;                                        // all bodies together
  std::map<std::pair<std::string, std::string>, Queue> queues_;  // (topic, host)
  std::multimap<std::string, std::string> of_consumers_;         // consumer -> id
  LongPoll polls_;
};

}  // namespace gantry::scheduling
