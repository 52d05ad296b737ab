// SPDX-License-Identifier: Apache-2.0
//
// The facts of decisions in the shadow, until it is known whether they are to be kept. To write a large fleet down takes a
// while, so requests that meet the same facts share them, and not every request gets them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/fleet/fleet.hpp"

namespace gantry::nova {

// [any thread]
class ShadowFacts {
 public:
  explicit ShadowFacts(fleet::Fleet& fleet) : fleet_(fleet) {}

  // Returns the fleet as it is; `changes` is another number once the facts have changed. nullptr: to write the fleet down
  // again would take more than a tenth of the time, or too many are in use.
  std::shared_ptr<const fleet::Document> take(std::uint64_t changes);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most_alive = 8;

  fleet::Fleet& fleet_;
  std::mutex mutex_;
  std::weak_ptr<const fleet::Document> latest_;
  std::vector<std::weak_ptr<const fleet::Document>> alive_;
  std::uint64_t changes_ = 0;
  Clock::time_point not_before_{};
};

}  // namespace gantry::nova
