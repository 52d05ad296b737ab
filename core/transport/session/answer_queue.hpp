// SPDX-License-Identifier: Apache-2.0
//
// The answers of one connection. Sends them in the order of the requests, even if they become ready in another order.
// Gathers several answers into one write. Not thread-safe: belongs to the connection's strand.
#pragma once

#include <boost/asio/buffer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

class AnswerQueue {
 public:
  using Clock = std::chrono::steady_clock;

  // One request's place in the queue, which its answer fills.
  struct Slot {
    std::uint64_t number = 0;
    ConnectionToken connection = ConnectionToken::none;
    Clock::time_point began;  // when the request was complete
    bool is_ready = false;
    std::string head;
    std::string body;
  };

  // Adds a slot at the end. The reference is valid until the next call of add() or sent().
  Slot& add(ConnectionToken connection);
  // Adds the interim answer "100 Continue", which is ready at once.
  void add_continue();
  // Returns the slot of that number. nullptr: the slot has been filled already, or was never added.
  Slot* find(std::uint64_t number);
  // True if no other slot follows.
  bool is_last(const Slot& slot) const { return slot.number + 1 == next_number_; }
  // Puts the answer into the slot, which is ready then.
  void fill(Slot& slot, HttpAnswer answer);

  // Begins a write of the answers at the front that are ready, 16 at most. False: there are none, or a write is under
  // way.
  bool begin_write();
  // The bytes of the write under way that have not been sent.
  const std::vector<boost::asio::const_buffer>& unsent() const { return unsent_; }
  // Notes that `size` more bytes have been sent. True: all bytes of the write have been sent, and its slots are
  // removed.
  bool sent(std::size_t size);
  bool is_writing() const { return !unsent_.empty(); }

  // True if an answer that has been sent said that the connection closes.
  bool has_said_close() const { return has_said_close_; }
  bool is_empty() const { return slots_.empty(); }
  std::size_t size() const { return slots_.size(); }
  // The bytes of the answers that are ready and not yet sent. An answer counts until all of its bytes are sent.
  std::size_t unsent_bytes() const { return unsent_bytes_; }

 private:
  std::deque<Slot> slots_;
  std::uint64_t next_number_ = 0;
  std::size_t unsent_bytes_ = 0;
  std::size_t slots_in_write_ = 0;
  std::vector<boost::asio::const_buffer> unsent_;
  bool has_said_close_ = false;
};

}  // namespace gantry::transport
