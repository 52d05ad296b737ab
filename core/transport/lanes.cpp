// SPDX-License-Identifier: Apache-2.0
#include "core/transport/lanes.hpp"

#include <boost/asio/post.hpp>

namespace gantry::transport {

void Lane::serve() {
  {
    const std::lock_guard lock(mutex_);
    ++waiting_;
    if (serving_ == most_) return;
    ++serving_;
  }
  boost::asio::post(workers_, [this] { turn(); });
}

// Behind everything that is ready already, again and again.
void Lane::turn() {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_ == 0) {
      --serving_;
      return;
    }
    --waiting_;
  }
  queue_.poll_one();
  boost::asio::post(workers_, [this] { turn(); });
}

}  // namespace gantry::transport
