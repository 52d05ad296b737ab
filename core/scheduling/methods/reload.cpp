// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// The manager runs the reload: its account needs more than the state.
void begin_reload(State& state, const MethodCall& call, const Done& done) {
  state.reload(call, done);
}

}  // namespace

std::vector<Method> reload_methods() {
  return {{.name = "reload",
           .group = "records",
           .effect = Effect::idempotent,
           .callers = admins,
           .summary = "Reads the configuration again and applies what needs no new process: whole, or not at all.",
           .args = {optional("check", ArgumentType::truth, "true: the configuration is judged and not applied.")
                        .otherwise("false")},
           .result = "Reload",
           .handle = begin_reload}};
}

}  // namespace gantry::scheduling
