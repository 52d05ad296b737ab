// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Outcome recent_decision(State& state, const MethodCall& call) {
  const auto uuid = text_argument(call, "instance_uuid");
  auto record = state.recent_decisions.find(uuid);
  if (!record) {
    return failed({ErrorCode::not_found,
                   "no recent decision about instance '" + uuid + "'; the latest " +
                       std::to_string(RecentDecisions::most) + " are kept until the service ends" +
                       (state.parts.authority == nullptr ? ", where it has the place of nova-scheduler" : ""),
                   {}});
  }
  Outcome outcome;
  outcome.reply = Answer::of_text(*std::move(record));
  return outcome;
}

}  // namespace

std::vector<Method> recent_decision_methods() {
  return {
      {.name = "recent_decision",
       .group = "scheduling",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "The latest decision about an instance: what was asked, seen, chosen and claimed, or why nothing.",
       .args = {required("instance_uuid", ArgumentType::text, "The instance's uuid.",
                         "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02")},
       .result = "RecentDecision",
       .handle = recent_decision}};
}

}  // namespace gantry::scheduling
