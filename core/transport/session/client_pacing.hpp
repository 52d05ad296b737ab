// SPDX-License-Identifier: Apache-2.0
//
// Slows down a connection that costs more than it should: its requests arrive in small pieces, or are refused in a row.
// Only counts and computes pauses. The session owns the timer.
#pragma once

#include <chrono>
#include <cstddef>

namespace gantry::transport {

struct HttpLimits;

class ClientPacing {
 public:
  static constexpr std::size_t small_read = 256;  // bytes: a read that brings fewer is small

  explicit ClientPacing(const HttpLimits& limits);

  // A read of `wanted` bytes has brought `size` bytes of a request.
  void note_read(std::size_t size, std::size_t wanted);
  // The request that was being read is complete.
  void note_request();
  // A request has been answered. A status from 400 to 499 is a refusal, except 409. Any other status ends the row.
  void note_answer(unsigned status);

  // Returns whether the request that is being read arrives in small reads: the last three reads or more were small.
  bool has_small_reads() const;
  // Returns whether so many requests in a row were refused that the connection must close.
  bool has_refusals_enough() const { return refusals_ >= most_refusals_; }
  // Returns the pause that the session must make before it serves the connection further. Returns each pause once.
  // Zero: no pause is due. The pause doubles with each small read, and with each 401 or 403 in a row after the first
  // few.
  std::chrono::milliseconds take_pause();

 private:
  std::chrono::milliseconds doubled(unsigned times) const;

  std::chrono::milliseconds longest_pause_;
  unsigned free_denials_;
  unsigned most_refusals_;
  unsigned small_reads_ = 0;  // in a row
  unsigned refusals_ = 0;     // in a row
  unsigned denials_ = 0;      // answers 401 and 403 among the refusals in a row
  std::chrono::milliseconds due_{0};
};

}  // namespace gantry::transport
