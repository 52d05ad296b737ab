// SPDX-License-Identifier: Apache-2.0
//
// The arguments that every call into a driver has: one moment of the fleet, a time, a seed, a deadline.
#pragma once

#include "core/drivers/driver.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

struct PinnedMoment {
  PinnedMoment(State& state, const MethodCall& call, std::string_view topic);
  PinnedMoment(const PinnedMoment&) = delete;
  PinnedMoment& operator=(const PinnedMoment&) = delete;

  // Returns the settings of a call into a driver whose results go to `sink`.
  drivers::DriverCallSettings settings(drivers::Sink* sink) const;

  RequestContext context;
  std::int64_t now;
  std::uint64_t seed;
  fleet::Moment moment;
  const gantry_view* view;  // of the topic; nullptr: the fleet has no such topic
  std::chrono::steady_clock::time_point started;
  std::chrono::steady_clock::time_point deadline;
  const fleet::Fleet& fleet;

  std::int64_t microseconds() const;
};

}  // namespace gantry::scheduling
