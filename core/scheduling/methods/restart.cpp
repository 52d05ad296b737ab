// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/restarts.hpp"

#include <unistd.h>

#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t longest_seconds = 86'400;

Outcome restart(State& state, const MethodCall& call) {
  auto* const restarts = state.parts.restarts;
  if (restarts == nullptr)
    return failed({ErrorCode::unsupported, "this service runs in a process that starts no other", {}});
  constexpr std::int64_t as_configured = 0;
  const auto seconds = optional_integer(call.args, "timeout_seconds", as_configured, 1, longest_seconds);
  if (!seconds) return failed(seconds.error());
  std::optional<std::chrono::milliseconds> timeout;
  if (*seconds != as_configured) timeout = std::chrono::seconds(*seconds);
  auto begun = restarts->begin(timeout);
  if (!begun) return failed(std::move(begun).error());
  Outcome outcome;
  outcome.is_audited = true;
  outcome.reply = json::value(json::object{{"id", *begun}, {"pid", getpid()}});
  return outcome;
}

std::optional<json::object> process_before(const State& /*state*/, const MethodCall& /*call*/) {
  return json::object{{"pid", getpid()}};
}

}  // namespace

std::vector<Method> restart_methods() {
  return {{.name = "restart",
           .group = "records",
           .effect = Effect::idempotent,
           .callers = admins,
           .summary = "Has a new process take the service over, without a lost or refused request. Answers at once.",
           .args = {optional("timeout_seconds", ArgumentType::integer,
                             "How long the new process may take until it can take over; not given: "
                             "server.restart_timeout.",
                             "60")
                        .between(1, longest_seconds)},
           .result = "Restart",
           .handle = restart,
           .audit = {"restart.begun", "restart", process_before}}};
}

}  // namespace gantry::scheduling
