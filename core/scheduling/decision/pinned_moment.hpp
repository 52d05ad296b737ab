// SPDX-License-Identifier: Apache-2.0
//
// The input that every call into a driver has: one moment of the fleet, a time, a random seed, a deadline.
#pragma once

#include "core/drivers/driver.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The input of a decision beside its request. A decision that is made once more from the same instant comes out the
// same, except that the fleet judges claims by its state at that time.
struct Instant {
  // Returns the fleet, the settings and the time as they are, and a new seed.
  static Instant now(State& state);

  std::int64_t time;  // nanoseconds since 1970
  std::uint64_t seed;
  fleet::Moment moment;
  std::shared_ptr<const drivers::DriverInstances> instances;  // with the options that hold for the decision
  std::shared_ptr<const Profiles> profiles = {};              // which driver decides
  drivers::Driver* driver = nullptr;  // the driver that decides, as one has before; nullptr: the profiles choose
};

// Pins an instant, with the view of one topic.
struct PinnedMoment {
  PinnedMoment(State& state, const MethodCall& call, std::string_view topic)
      : PinnedMoment(state, call, topic, Instant::now(state)) {}
  PinnedMoment(State& state, const MethodCall& call, std::string_view topic, Instant at);
  PinnedMoment(const PinnedMoment&) = delete;
  PinnedMoment& operator=(const PinnedMoment&) = delete;

  // Returns the settings for one call into a driver. The results of that call go to `sink`.
  drivers::DriverCallSettings settings(drivers::Sink* sink) const;

  RequestContext context;
  std::int64_t now;  // nanoseconds since 1970
  std::uint64_t seed;
  fleet::Moment moment;
  const gantry_view* view;  // the view of the topic; nullptr: the fleet has no such topic
  std::chrono::steady_clock::time_point started;
  std::chrono::steady_clock::time_point deadline;
  std::shared_ptr<const drivers::DriverInstances> instances;
  drivers::Turn* turn;  // in the driver; nullptr: the call has none yet
  const fleet::Fleet& fleet;

  // Returns the time since `started`.
  std::int64_t microseconds() const;
};

}  // namespace gantry::scheduling
