// SPDX-License-Identifier: Apache-2.0
#include "core/transport/lanes.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace gantry::transport {

void Lane::serve() {
  {
    const std::lock_guard lock(mutex_);
    ++waiting_;
    if (std::exchange(serving_, true)) return;
  }
  boost::asio::post(workers_, [this] { turn(); });
}

// Each behind everything that is ready already.
void Lane::turn() {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_ == 0) {
      serving_ = false;
      return;
    }
    --waiting_;
  }
  const auto began = Clock::now();
  queue_.poll_one();
  const auto now = Clock::now();
  spent_ += now - began;
  const auto time = time_to_pause(now);
  if (time <= Clock::duration::zero()) return boost::asio::post(workers_, [this] { turn(); });
  pause_.expires_at(now + time);
  pause_.async_wait([this](const boost::system::error_code&) { turn(); });
}

// Three times as long as was worked, less what went by between the steps.
Lane::Clock::duration Lane::time_to_pause(Clock::time_point now) {
  constexpr std::chrono::microseconds burst{100};
  constexpr std::chrono::microseconds shortest{50};
  if (!pauses_ || spent_ < burst) return {};
  const auto went_by = now - since_ - spent_;
  const auto time =
      others_served_.exchange(false, std::memory_order_relaxed) ? 3 * spent_ - went_by : Clock::duration();
  spent_ = {};
  since_ = now + std::max(time, Clock::duration());
  return time < shortest ? Clock::duration() : time;
}

}  // namespace gantry::transport
