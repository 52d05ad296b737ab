// SPDX-License-Identifier: Apache-2.0
//
// Slows down a connection that costs more than it should: requests in small pieces, and refused requests in a row.
// Only counts; the session owns the timer.
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
  void note_answer(unsigned status);

  // Whether the request that is being read arrives in small reads: three in a row.
  bool has_small_reads() const;
  // Whether refused requests in a row have reached the limit, so that the connection closes.
  bool has_refusals_enough() const { return refusals_ >= most_refusals_; }
  // Returns the pause that is due before the connection is served further, once. Zero: none. The pause doubles with
  // each small read, and with each 401 or 403 in a row after the first few.
  std::chrono::milliseconds take_pause();

 private:
  std::chrono::milliseconds doubled(unsigned times) const;

  std::chrono::milliseconds longest_pause_;
  unsigned free_denials_;
  unsigned most_refusals_;
  unsigned small_reads_ = 0;  // in a row
  unsigned refusals_ = 0;     // in a row
  unsigned denials_ = 0;      // 401 and 403 among these
  std::chrono::milliseconds due_{0};
};

}  // namespace gantry::transport
