// SPDX-License-Identifier: Apache-2.0
//
// Counts the decisions that fallbacks have made in the place of other drivers, and warns while a driver's decisions fail.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

// [any thread]
class Fallbacks {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // How long a driver is warned of after a decision of it has failed.
  static constexpr std::chrono::minutes warned{10};

  // Counts a decision of `fallback` in the place of `driver`. `failure`: how the decision of the driver itself has failed;
  // empty: it was not asked.
  void note(const std::string& driver, const std::string& fallback, const std::string& failure,
            TimePoint now = std::chrono::steady_clock::now());
  // Returns how many decisions fallbacks have made in the driver's place.
  std::uint64_t count(std::string_view driver) const;
  // Returns a sentence for each driver of which a decision has failed within the time.
  std::vector<std::string> warnings(TimePoint now = std::chrono::steady_clock::now()) const;

 private:
  struct Entry {
    std::uint64_t decisions = 0;
    std::string fallback;
    std::string failure;  // the last one; empty: none
    TimePoint failed_at;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;  // by driver
};

}  // namespace gantry::scheduling
