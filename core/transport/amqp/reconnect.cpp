// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/reconnect.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace gantry::amqp {

namespace {

// A broker that returns has lost the transient queues, and drops what callers send before they are there again. Callers
// connect within seconds of its return, and a refused connection costs nothing.
constexpr std::chrono::milliseconds short_wait{500};
constexpr std::size_t rounds_in_short = 60;  // half a minute
constexpr std::chrono::milliseconds long_wait{2'000};

}  // namespace

Reconnect::Reconnect(std::size_t brokers, std::uint64_t seed) : order_(brokers) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::shuffle(order_.begin(), order_.end(), random);
}

Reconnect::Attempt Reconnect::next() {
  const std::size_t rounds = attempts_ / order_.size();
  const bool waits = rounds > 0 && attempts_ % order_.size() == 0;
  const auto wait = rounds <= rounds_in_short ? short_wait : long_wait;
  const Attempt attempt{order_[position_], waits ? wait : std::chrono::milliseconds(0)};
  position_ = (position_ + 1) % order_.size();
  ++attempts_;
  return attempt;
}

void Reconnect::note_success() {
  attempts_ = 0;
}

}  // namespace gantry::amqp
