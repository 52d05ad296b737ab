// SPDX-License-Identifier: Apache-2.0
//
// The unique ids of the last messages. A broker delivers a message twice if the connection was lost before the broker
// had the ack, and so many messages at once may come again as were on their way.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_set>

namespace gantry::nova {

class RecentIds {
 public:
  // oslo.messaging keeps sixteen.
  static constexpr std::size_t kept = 4096;

  // Returns whether the id is among the last ones. An id that is not, and is not empty, becomes the latest.
  bool is_repeated(const std::string& unique_id);

 private:
  std::deque<std::string> in_order_;
  std::unordered_set<std::string> ids_;
};

}  // namespace gantry::nova
