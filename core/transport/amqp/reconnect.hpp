// SPDX-License-Identifier: Apache-2.0
//
// Which broker of several to try next, and after what wait: the brokers in a shuffled order, round robin. The first
// round is without a wait; then 0.5 s goes before each round of half a minute, and 2 s before each further one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry::amqp {

class Reconnect {
 public:
  struct Attempt {
    std::size_t broker;  // index
    std::chrono::milliseconds wait;
  };

  // `brokers` is at least 1. The order follows from `seed` alone.
  Reconnect(std::size_t brokers, std::uint64_t seed);

  Attempt next();
  // The last attempt has led to an open connection. If the connection is lost, all brokers are tried at once again,
  // beginning with the one behind.
  void note_success();

 private:
  std::vector<std::size_t> order_;
  std::size_t position_ = 0;
  std::size_t attempts_ = 0;  // since the last success
};

}  // namespace gantry::amqp
