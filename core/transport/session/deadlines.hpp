// SPDX-License-Identifier: Apache-2.0
//
// The time at which a connection must end because its client was too slow. Only computes points in time. The session
// owns the timer.
#pragma once

#include <chrono>
#include <cstdint>

namespace gantry::transport {

class Deadlines {
 public:
  using Clock = std::chrono::steady_clock;

  // The input that the server waits for on the connection.
  enum class Awaited : std::uint8_t {
    nothing,
    handshake,     // receive_timeout from the connection's beginning
    request,       // the rest of a request, head and body: receive_timeout from the request's first byte
    next_request,  // idle_timeout from the last byte received or sent
    end,           // the end of a connection that is being closed: the linger time from begin_closing()
  };

  // How long the server waits. `receive` and `idle` are the settings receive_timeout and idle_timeout.
  struct Times {
    Clock::duration receive;
    Clock::duration idle;
    Clock::duration write;     // for the client to take a further byte of an answer
    std::uint64_t write_rate;  // bytes a second that it must take beside, on average, beyond that time
    Clock::duration linger;    // for the client to end a connection that is being closed
  };

  Deadlines(const Times& times, Clock::time_point now)
      : times_(times), began_(now), active_(now), write_began_(now), write_progress_(now), closing_since_(now) {}

  // A handshake or a request begins.
  void begin(Clock::time_point now) { began_ = now; }
  // Bytes have been received, or an answer has been sent.
  void note_activity(Clock::time_point now) { active_ = now; }
  // A write begins.
  void begin_write(Clock::time_point now) {
    write_began_ = write_progress_ = now;
    written_ = 0;
  }
  // The write has taken some bytes.
  void note_write_progress(Clock::time_point now, std::uint64_t bytes) {
    write_progress_ = now;
    written_ += bytes;
  }
  void begin_closing(Clock::time_point now) { closing_since_ = now; }

  // Returns the earlier of two deadlines: of the awaited input, and of the write if one is under way. time_point::max()
  // if there is none.
  Clock::time_point next(Awaited awaited, bool is_writing) const;
  // Returns whether the client has taken no byte of an answer for too long, or too few.
  bool is_write_stalled(Clock::time_point now) const { return write_deadline() <= now; }

 private:
  Clock::time_point input_deadline(Awaited awaited) const;
  Clock::time_point write_deadline() const;

  Times times_;
  Clock::time_point began_;
  Clock::time_point active_;
  Clock::time_point write_began_;
  Clock::time_point write_progress_;
  std::uint64_t written_ = 0;
  Clock::time_point closing_since_;
};

}  // namespace gantry::transport
