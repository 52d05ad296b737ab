// SPDX-License-Identifier: Apache-2.0
//
// Counts the calls that are under way. When the service stops, it waits for all of them. The doctor waits for those
// that may have changed only part of the state.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

#include "core/result.hpp"

namespace gantry::scheduling {

// The error of a call that could not enter.
Error was_stopped();

// [any thread]
class CallsUnderWay {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // The count that a call was added to. leave() takes it back.
  enum class Entered : std::size_t {};

  // Counts a call that begins. nullopt after refuse(): the call must not run. `is_waiting` marks a long poll, which
  // changes nothing and which settle() does not wait for.
  std::optional<Entered> enter(bool is_waiting);
  // Ends a call. Called once for each call that entered.
  void leave(Entered entered);
  // Counts a call that has been answered though it still runs. It changes nothing any more, so that settle() does not
  // wait for it.
  Entered enter_answered();

  // Waits until every call that entered before has left, except the long polls. Returns false if a call did not leave
  // within some seconds, or if refuse() was called. One thread at a time.
  bool settle();
  // From now on no call can enter.
  void refuse();
  // Waits until no call is under way.
  void wait();
  // Waits until no call is under way, but no longer than `deadline`. Returns how many calls are still under way.
  std::size_t wait_until(TimePoint deadline);
  // Sleeps for `time`, then returns true. Returns false at once if refuse() was called before or is called meanwhile.
  bool sleep(std::chrono::milliseconds time);

 private:
  // Each call belongs to one of two generations, counted at 0 and 1. settle() waits for one generation while new calls
  // join the other. Calls that change nothing any more are counted apart, at 2.
  static constexpr std::size_t changing_nothing = 2;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  std::array<std::size_t, changing_nothing + 1> of_generation_{};
  std::size_t generation_ = 0;
  bool settling_ = false;
  bool refusing_ = false;
};

}  // namespace gantry::scheduling
