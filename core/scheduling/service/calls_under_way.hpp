// SPDX-License-Identifier: Apache-2.0
//
// The calls that have begun and not ended: counted, so that a stop can wait for them, and the doctor for those that may
// be half done when it looks.
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

  // Nothing after refuse(). Whoever has entered leaves once.
  std::optional<Entered> enter(bool is_waiting);
  void leave(Entered entered);

  // Waits until all calls that had entered before have left, but those that only wait. False: some did not in time, or
  // refuse() came between. One at a time.
  bool settle();
  // Nobody enters any more.
  void refuse();
  // Waits for the end of all.
  void wait();
  // As long as until `deadline`; how many are left.
  std::size_t wait_until(TimePoint deadline);
  // False: refuse() has been called, at once if it has been.
  bool sleep(std::chrono::milliseconds time);

 private:
  // Calls are of two generations by turns, so that one can be awaited while the next goes on; those that wait
  // themselves and change nothing are of neither.
  static constexpr std::size_t waits = 2;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  std::array<std::size_t, waits + 1> of_generation_{};
  std::size_t generation_ = 0;
  bool settling_ = false;
  bool refusing_ = false;
};

}  // namespace gantry::scheduling
