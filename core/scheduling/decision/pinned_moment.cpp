// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/pinned_moment.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/random.hpp"

namespace gantry::scheduling {

Instant Instant::now(State& state) {
  const auto& settings = state.parts.settings;
  const auto began = std::chrono::steady_clock::now();
  // A reload changes the fleet's settings and the drivers' options together.
  const std::shared_lock lock(state.settings_mutex);
  Instant now{settings.decides_at.value_or(now_nanoseconds()), settings.seed ? *settings.seed : random_number(),
              state.parts.fleet.pin(settings.decides_at.value_or(steady_nanoseconds())), state.parts.drivers.in_use(),
              state.profiles};
  state.instruments->pin.observe_since(began);
  return now;
}

PinnedMoment::PinnedMoment(State& state, const MethodCall& call, std::string_view topic, Instant at)
    : context(call.context, call.request_id),
      now(at.time),
      seed(at.seed),
      moment(std::move(at.moment)),
      view(moment.view(topic)),
      started(std::chrono::steady_clock::now()),
      deadline(std::min(call.deadline, started + state.changeable.call_timeout.load())),
      instances(std::move(at.instances)),
      turn(call.turn),
      fleet(state.parts.fleet) {}

drivers::DriverCallSettings PinnedMoment::settings(drivers::Sink* sink) const {
  drivers::DriverCallSettings settings;
  settings.moment = moment;
  settings.instance_facts = [&fleet = fleet](std::string_view uuid) -> std::optional<drivers::InstanceFacts> {
    auto known = fleet.instance(uuid);
    if (!known) return std::nullopt;
    const auto amount = [&](const char* key) { return json::find_number(known->flavor, key).value_or(0); };
    drivers::InstanceFacts facts;
    facts.flavor = json::find_string(known->flavor, "name").value_or("");
    facts.project_id = std::move(known->project_id);
    facts.vm_state = std::move(known->vm_state);
    facts.vcpus = json::find_integer(known->flavor, "vcpus").value_or(0);
    facts.memory_mb = json::find_integer(known->flavor, "memory_mb").value_or(0);
    facts.disk_gb = amount("root_gb") + amount("ephemeral_gb") + amount("swap") / 1024;
    return facts;
  };
  settings.context = &context.view();
  settings.view = view;
  settings.sink = sink;
  settings.deadline = deadline;
  settings.now = now;
  settings.seed = seed;
  settings.instances = instances;
  settings.turn = turn;
  return settings;
}

std::int64_t PinnedMoment::microseconds() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace gantry::scheduling
