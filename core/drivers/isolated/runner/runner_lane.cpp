// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/runner_lane.hpp"

namespace gantry::drivers::isolated {

const CallInput& RunnerLane::await_call() {
  while (!lane_.wait_for(LaneTurn::runner, Lane::TimePoint::max())) {
  }
  explanations_ = GANTRY_OK;
  return *reinterpret_cast<const CallInput*>(lane_.input().data());
}

const CallAnswer& RunnerLane::refuse(std::uint64_t begin) {
  to_.shorten_to(begin);
  return too_large_;
}

void RunnerLane::send() {
  lane_.set_bytes_of_message(to_.used());
  to_.shorten_to(0);
  lane_.pass_to(LaneTurn::service);
}

}  // namespace gantry::drivers::isolated
