// SPDX-License-Identifier: Apache-2.0
//
// Which driver a call of a method goes to, found before the method runs: the call may have to wait for its turn in the
// driver. Each function returns nullptr if the call reaches no driver.
#pragma once

#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Returns the driver that decides the request in the arguments, as far as it can be told without what the fleet knows: one
// that decides after all is waited for on the thread that runs the method.
drivers::Driver* deciding_driver(const State& state, const MethodCall& call);
// Returns the default driver of the compute topic.
drivers::Driver* compute_driver(const State& state, const MethodCall& call);
// Returns the driver that group_hosts asks.
drivers::Driver* group_hosts_driver(const State& state, const MethodCall& call);
// Returns the driver of the topic that the arguments name or, for a topic without a driver, the compute driver, as in
// Nova.
drivers::Driver* hosts_up_driver(const State& state, const MethodCall& call);
// Returns the driver whose own method the arguments name.
drivers::Driver* schedule_driver(const State& state, const MethodCall& call);
// Returns the driver that hears of a service's capabilities.
drivers::Driver* capabilities_driver(const State& state, const MethodCall& call);

}  // namespace gantry::scheduling
