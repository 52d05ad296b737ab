// SPDX-License-Identifier: Apache-2.0
//
// The unique ids of the last sixteen messages. A broker may deliver a message twice if a connection was lost.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace gantry::nova {

class RecentIds {
 public:
  static constexpr std::size_t kept = 16;

  // Returns whether the id is among the last ones. An id that is not, and is not empty, becomes the latest.
  bool is_repeated(const std::string& unique_id);

 private:
  std::deque<std::string> ids_;
};

}  // namespace gantry::nova
