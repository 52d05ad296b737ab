// SPDX-License-Identifier: Apache-2.0
//
// Counts the calls that are under way. A stop waits for all of them. The doctor waits for the calls that may be half
// done when it looks.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

namespace gantry::scheduling {

// [any thread]
class CallsUnderWay {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Entered : std::size_t {};

  // Counts a call. `is_waiting`: a long poll, which changes nothing and which settle() does not wait for. Empty after
  // refuse(). Each call that entered leaves once.
  std::optional<Entered> enter(bool is_waiting);
  void leave(Entered entered);

  // Waits until every call that entered before has left, except the long polls. False if one did not leave in time, or
  // if refuse() was called meanwhile. One thread at a time.
  bool settle();
  // From now on no call can enter.
  void refuse();
  // Waits until no call is under way.
  void wait();
  // The same, until `deadline` at most. Returns how many calls are left.
  std::size_t wait_until(TimePoint deadline);
  // Sleeps for `time`. False, at once, if refuse() is or was called.
  bool sleep(std::chrono::milliseconds time);

 private:
  // Calls belong to one of two generations in turn, so that settle() can wait for one while new calls join the other.
  // Long polls are counted apart.
  static constexpr std::size_t long_polls = 2;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  std::array<std::size_t, long_polls + 1> of_generation_{};
  std::size_t generation_ = 0;
  bool settling_ = false;
  bool refusing_ = false;
};

}  // namespace gantry::scheduling
