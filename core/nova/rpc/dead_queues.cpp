// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/dead_queues.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

constexpr std::size_t most_dead_queues = 200;
constexpr std::chrono::seconds time_taken_for_dead{60};

}  // namespace

void DeadQueues::add(const std::string& queue, Clock::time_point now) {
  std::erase_if(queues_, [&queue](const Dead& dead) { return dead.queue == queue; });
  queues_.push_back({queue, now + time_taken_for_dead});
  if (queues_.size() > most_dead_queues) queues_.pop_front();
}

bool DeadQueues::contains(const std::string& queue, Clock::time_point now) {
  while (!queues_.empty() && queues_.front().until <= now) queues_.pop_front();
  return std::any_of(queues_.begin(), queues_.end(), [&queue](const Dead& dead) { return dead.queue == queue; });
}

}  // namespace gantry::nova
