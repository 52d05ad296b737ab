// SPDX-License-Identifier: Apache-2.0
//
// The places of the connections to one kind of socket. A stranger, a connection that has not shown yet whose it is, never
// takes the place of another caller: where there is no room, a stranger's connection is closed, the one that had an answer
// longest ago, else the oldest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gantry::transport {

class Connection;

// [any thread] Outlives its seats through them.
class Seats : public std::enable_shared_from_this<Seats> {
 public:
  // The place of one connection, until the object ends.
  class Seat {
   public:
    Seat(std::shared_ptr<Seats> seats, std::string source);
    ~Seat() { seats_->leave(*this); }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // Names the connection that is to be closed for another one as long as it is a stranger's.
    void belong_to(std::weak_ptr<Connection> connection);
    // The connection is a known caller's from now on.
    void prove();
    // The connection had an answer. If it is still a stranger's, it is closed before those without one: a newcomer whose
    // request has not been read yet may be a known caller.
    void note_answer();

   private:
    friend class Seats;
    enum class State : std::uint8_t { strange, proven, taken_away };
    std::shared_ptr<Seats> seats_;
    const std::string source_;
    bool is_proven_ = false;  // read by the owner's thread without the lock
    // Guarded by the mutex of the seats.
    State state_ = State::strange;
    bool had_answer_ = false;
    std::weak_ptr<Connection> connection_;
    std::list<Seat*>::iterator place_;            // in strangers_
    std::list<Seat*>::iterator place_at_source_;  // among those of the source
  };

  struct Bounds {
    std::uint32_t connections;            // all of them
    std::uint32_t strangers;              // at most; the rest is kept for known callers
    std::uint32_t strangers_of_a_source;  // strangers of one address
  };
  // A quarter of the places is kept for known callers. Strangers of one source may take another quarter.
  static Bounds bounds_for(std::uint32_t connections);

  explicit Seats(const Bounds& bounds) : bounds_(bounds) {}

  // Returns a seat for a new connection from `source`, an address. Empty: the source has no bound of its own. Closes a
  // stranger's connection where there is no room, one of the same source if that has its share. nullptr: known callers
  // take all of it.
  std::unique_ptr<Seat> seat(std::string source);
  std::uint32_t most() const { return bounds_.connections; }
  std::uint64_t taken() const;

 private:
  // In the order in which they are closed: those that had an answer, then the others, the longest ago first.
  struct Strangers {
    std::list<Seat*> answered;
    std::list<Seat*> unanswered;

    std::size_t size() const { return answered.size() + unanswered.size(); }
    Seat& first() const { return answered.empty() ? *unanswered.front() : *answered.front(); }
    std::list<Seat*>& list_of(const Seat& seat) { return seat.had_answer_ ? answered : unanswered; }
  };

  void leave(Seat& seat);
  // These need the mutex. take_away() returns the connection to close.
  void forget_stranger(Seat& seat);
  std::shared_ptr<Connection> take_away(Seat& seat);

  const Bounds bounds_;
  mutable std::mutex mutex_;
  std::uint32_t taken_ = 0;
  Strangers strangers_;
  std::unordered_map<std::string, Strangers> of_sources_;
};

}  // namespace gantry::transport
