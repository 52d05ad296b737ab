// SPDX-License-Identifier: Apache-2.0
//
// The reply queues that are known to be gone, because their caller is. A reply to a queue that is absent is tried again
// for a while, since the caller may be declaring the queue again after a loss of its connection. Then the queue is taken
// for dead for a minute, and replies to it are dropped at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>

namespace gantry::nova {

class DeadQueues {
 public:
  using Clock = std::chrono::steady_clock;

  // When a reply is tried again, and for how long: kombu_missing_consumer_retry_timeout.
  static constexpr std::chrono::milliseconds retry_interval{250};
  static constexpr std::chrono::seconds retry_time{60};

  // The queue has been absent for the retry time. At most 200 queues are kept, the latest.
  void add(const std::string& queue, Clock::time_point now);
  bool contains(const std::string& queue, Clock::time_point now);

 private:
  struct Dead {
    std::string queue;
    Clock::time_point until;
  };
  std::deque<Dead> queues_;  // by time
};

}  // namespace gantry::nova
