// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/called_driver.hpp"

#include <shared_mutex>

#include "core/scheduling/methods/access.hpp"

namespace gantry::scheduling {

namespace {

using drivers::Driver;

Driver* unless_left_out(Driver* driver, Driver::Optional operation) {
  return driver != nullptr && driver->leaves_out(operation) ? nullptr : driver;
}

}  // namespace

Driver* compute_driver(const State& state, const MethodCall& /*call*/) {
  return state.parts.drivers.for_topic("compute");
}

Driver* deciding_driver(const State& state, const MethodCall& call) {
  const auto profiles = [&state] {
    const std::shared_lock lock(state.settings_mutex);
    return state.profiles;
  }();
  const auto facts = profiles->is_empty() ? RequestFacts() : facts_of(call.args, call.context);
  const auto chosen = profiles->choose(facts, state.parts.drivers);
  if (!chosen) return nullptr;
  auto* const stand_in = state.parts.drivers.stand_in_for(*chosen->driver);
  return stand_in != nullptr ? stand_in : chosen->driver;
}

Driver* group_hosts_driver(const State& state, const MethodCall& call) {
  return unless_left_out(compute_driver(state, call), Driver::Optional::group_hosts);
}

Driver* hosts_up_driver(const State& state, const MethodCall& call) {
  auto* driver = state.parts.drivers.for_topic(text_argument(call, "topic"));
  return unless_left_out(driver != nullptr ? driver : compute_driver(state, call), Driver::Optional::hosts_up);
}

Driver* schedule_driver(const State& state, const MethodCall& call) {
  const auto topic = text_argument(call, "topic");
  auto* driver = state.parts.drivers.for_topic(topic);
  return driver != nullptr && driver->offers(topic, text_argument(call, "schedule_method")) ? driver : nullptr;
}

Driver* capabilities_driver(const State& state, const MethodCall& call) {
  return unless_left_out(state.parts.drivers.for_topic(text_argument(call, "service_name")),
                         Driver::Optional::update_service_capabilities);
}

}  // namespace gantry::scheduling
