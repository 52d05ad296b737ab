// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/timers.hpp"

#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace gantry::nova {

Timers::Handle AsioTimers::at(Clock::time_point time, std::function<void()> then) {
  auto timer = std::make_shared<boost::asio::steady_timer>(strand_, time);
  // A timer that has run out cannot be cancelled any more, although its call still waits for the strand.
  timer->async_wait([then = std::move(then), alive = std::weak_ptr(timer)](const boost::system::error_code& error) {
    const auto held = alive.lock();
    if (!error && held) then();
  });
  return timer;
}

}  // namespace gantry::nova
