// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Outcome set_paused(State& state, bool is_paused) {
  if (state.parts.authority == nullptr)
    return failed({ErrorCode::failed_precondition,
                   "this gantryd is in the place of no nova-scheduler: its nova.config_files is empty",
                   {}});
  if (auto done = state.parts.authority->set_paused(is_paused); !done) return failed(std::move(done).error());
  Outcome outcome;
  outcome.reply = json::value(json::object{{"paused", is_paused}});
  return outcome;
}

Outcome pause_requests(State& state, const MethodCall& /*call*/) {
  return set_paused(state, true);
}

Outcome resume_requests(State& state, const MethodCall& /*call*/) {
  return set_paused(state, false);
}

}  // namespace

std::vector<Method> pause_methods() {
  return {{.name = "pause_requests",
           .group = "scheduling",
           .effect = Effect::idempotent,
           .callers = admins,
           .summary = "Takes no further requests of Nova, also after a restart, and answers those under way.",
           .args = {},
           .result = "Paused",
           .handle = pause_requests},
          {.name = "resume_requests",
           .group = "scheduling",
           .effect = Effect::idempotent,
           .callers = admins,
           .summary = "Takes requests of Nova again after a pause.",
           .args = {},
           .result = "Paused",
           .handle = resume_requests}};
}

}  // namespace gantry::scheduling
