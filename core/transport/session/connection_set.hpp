// SPDX-License-Identifier: Apache-2.0
//
// The open connections of a server, and the one way by which an answer comes back to its connection from another
// thread. Answers that come after close() are dropped: nothing of the server may be there any more.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/scheduling/manager.hpp"

namespace gantry::transport {

// [any thread] None of these blocks or runs the manager.
class Connection {
 public:
  virtual ~Connection() = default;
  // The answer to the request in `slot`.
  virtual void deliver(std::uint64_t slot, scheduling::Answer answer) = 0;
  // Takes no further request than those that have begun to arrive; ends after the last answer.
  virtual void drain() = 0;
  // Ends now.
  virtual void abandon() = 0;
};

// What all connections of a server together have a bound on.
enum class Bounded : std::uint8_t { body_bytes, requests_in_crumbs };

// [any thread]
class ConnectionSet {
 public:
  // False: the set is closed, and the connection is not wanted any more.
  bool add(std::shared_ptr<Connection> connection);
  void remove(const Connection* connection);

  void deliver(const std::weak_ptr<Connection>& connection, std::uint64_t slot, scheduling::Answer answer);

  // False: so many answers are waited for already.
  bool take_place(std::uint32_t most);
  void leave_place() { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  // False: there is no room for that much more.
  bool take_room(Bounded what, std::uint64_t amount, std::uint64_t most);
  void leave_room(Bounded what, std::uint64_t amount) { taken(what).fetch_sub(amount, std::memory_order_relaxed); }

  void drain();
  // False: some were left at the deadline.
  bool wait_until_empty(std::chrono::steady_clock::time_point deadline);
  // Lets no further answer through, abandons what is left and forgets it.
  void close();

 private:
  std::vector<std::shared_ptr<Connection>> all() const;
  std::atomic<std::uint64_t>& taken(Bounded what) { return taken_[static_cast<std::size_t>(what)]; }

  std::shared_mutex gate_;  // held shared while an answer passes; taken before mutex_
  bool closed_ = false;
  std::atomic<std::uint32_t> waiting_{0};
  std::array<std::atomic<std::uint64_t>, 2> taken_{};
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::unordered_map<const Connection*, std::shared_ptr<Connection>> connections_;
};

// One request's part of what is bounded, until it is let go.
class Room {
 public:
  Room() = default;
  Room(std::shared_ptr<ConnectionSet> connections, Bounded what, std::uint64_t amount, std::uint64_t most);
  ~Room();
  Room(Room&& other) noexcept
      : connections_(std::move(other.connections_)), what_(other.what_), amount_(std::exchange(other.amount_, 0)) {}
  Room& operator=(Room&& other) noexcept;

  bool granted() const { return amount_ > 0; }

 private:
  std::shared_ptr<ConnectionSet> connections_;
  Bounded what_ = Bounded::body_bytes;
  std::uint64_t amount_ = 0;
};

// The way back of one answer. If the manager lets go of it without having answered, the client is told.
class PendingAnswer {
 public:
  PendingAnswer(std::shared_ptr<ConnectionSet> connections, std::weak_ptr<Connection> connection, std::uint64_t slot)
      : connections_(std::move(connections)), connection_(std::move(connection)), slot_(slot) {}
  ~PendingAnswer();
  PendingAnswer(const PendingAnswer&) = delete;
  PendingAnswer& operator=(const PendingAnswer&) = delete;

  // Counts this request among those that wait, until its answer is given. False: there are so many already.
  bool take_place(std::uint32_t most);
  // The first answer counts.
  void give(scheduling::Answer answer);

 private:
  std::shared_ptr<ConnectionSet> connections_;
  std::weak_ptr<Connection> connection_;
  std::uint64_t slot_;
  bool has_place_ = false;
  std::atomic<bool> given_{false};
};

}  // namespace gantry::transport
