// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/reconnect.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace gantry::amqp {

namespace {

constexpr std::size_t longest_wait = 4;  // seconds

}  // namespace

Reconnect::Reconnect(std::size_t brokers, std::uint64_t seed) : order_(brokers) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::shuffle(order_.begin(), order_.end(), random);
}

Reconnect::Attempt Reconnect::next() {
  const std::size_t rounds = attempts_ / order_.size();
  const bool begins_round = attempts_ % order_.size() == 0;
  const Attempt attempt{order_[position_],
                        std::chrono::seconds(begins_round && rounds > 0 ? std::min(2 * rounds - 1, longest_wait) : 0)};
  position_ = (position_ + 1) % order_.size();
  ++attempts_;
  return attempt;
}

void Reconnect::note_success() {
  attempts_ = 0;
}

}  // namespace gantry::amqp
