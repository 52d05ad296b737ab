// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/measurement.hpp"

#include <algorithm>

namespace gantry::scheduling {

void measure(const State& state, const InstanceDecision& decision, DecisionOutcome outcome) {
  auto* const measured = state.instruments->of(*decision.driver);
  if (measured == nullptr) return;
  measured->decisions.observe(std::chrono::microseconds(decision.microseconds));
  measured->outcomes[static_cast<std::size_t>(outcome)].fetch_add(1, std::memory_order_relaxed);
  const auto& steps = decision.sink->steps();
  for (const auto& step : steps) {
    if (step.hosts_out < step.hosts_in) measured->rejected.add(step.name, step.hosts_in - step.hosts_out);
  }
  if (outcome != DecisionOutcome::no_valid_host) return;
  const auto last = std::ranges::find_if(steps, [](const auto& step) { return step.hosts_out == 0; });
  measured->refusals.add(last == steps.end() ? telemetry::NamedCounters::other : std::string_view(last->name));
}

}  // namespace gantry::scheduling
