// SPDX-License-Identifier: Apache-2.0
//
// How long something takes: a histogram of durations with fixed bounds, with the sum, the last and the longest.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gantry::telemetry {

// [any thread] Takes no lock and no memory.
class Histogram {
 public:
  // The upper bounds of the buckets, in microseconds. A last bucket holds what is longer.
  static constexpr std::array<std::int64_t, 19> bounds{
      5,      10,     25,     50,      100,     250,     500,       1'000,     2'500,     5'000,
      10'000, 25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};

  using Duration = std::chrono::nanoseconds;

  // The histogram at one time. Durations that are observed meanwhile may be in some members and not in others.
  struct Reading {
    std::array<std::uint64_t, bounds.size() + 1> counts{};  // the count of each bucket by itself
    Duration sum{0};
    Duration last{0};
    Duration longest{0};

    std::uint64_t count() const;
    Duration mean() const;  // 0: nothing was observed
    // Returns the duration that the share `part` (0.99) of the observations does not exceed, as far as the buckets
    // tell: within a bucket the observations count as spread evenly. 0: nothing was observed.
    Duration quantile(double part) const;
    // Returns what came since `before`, an earlier reading. `last` and `longest` stay.
    Reading since(const Reading& before) const;
  };

  // Counts a duration. A negative one counts as 0.
  void observe(Duration duration) noexcept;
  // Counts the time since `began`.
  void observe_since(std::chrono::steady_clock::time_point began) noexcept {
    observe(std::chrono::steady_clock::now() - began);
  }
  Reading read() const noexcept;
  // Forgets the last and the longest duration. The counts and the sum go on.
  void forget_extremes() noexcept;

 private:
  std::array<std::atomic<std::uint64_t>, bounds.size() + 1> counts_{};
  std::atomic<std::int64_t> sum_{0};
  std::atomic<std::int64_t> last_{0};
  std::atomic<std::int64_t> longest_{0};
};

}  // namespace gantry::telemetry
