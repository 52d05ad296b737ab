// SPDX-License-Identifier: Apache-2.0
//
// Counts the answers of a server by their HTTP status, those included that no method gave.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gantry::transport {

// [any thread]
class AnswerCounts {
 public:
  static constexpr unsigned first_status = 100;
  static constexpr unsigned last_status = 599;

  void note(unsigned status) {
    if (status >= first_status && status <= last_status)
      counts_[status - first_status].fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t of(unsigned status) const { return counts_[status - first_status].load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<std::uint64_t>, last_status - first_status + 1> counts_{};
};

}  // namespace gantry::transport
