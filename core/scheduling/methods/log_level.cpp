// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

json::object level_json(const State& state) {
  return {{"level", telemetry::name_of(state.parts.logger->level())}};
}

Outcome show_log_level(State& state, const MethodCall& /*call*/) {
  Outcome outcome;
  outcome.reply = json::value(level_json(state));
  return outcome;
}

Outcome set_log_level(State& state, const MethodCall& call) {
  const auto name = text_argument(call, "level");
  const auto level = telemetry::level_of(name);
  if (!level)
    return failed({ErrorCode::invalid_argument,
                   "argument 'level': expected debug, info, warning or error, found '" + name + "'",
                   {}});
  state.parts.logger->set_level(*level);
  Outcome outcome;
  outcome.reply = json::value(level_json(state));
  outcome.is_audited = true;
  return outcome;
}

std::optional<json::object> level_before(const State& state, const MethodCall& /*call*/) {
  return level_json(state);
}

}  // namespace

std::vector<Method> log_level_methods() {
  return {{.name = "log_level",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The lowest level that the log has lines of.",
           .args = {},
           .result = "LogLevel",
           .handle = show_log_level},
          {.name = "set_log_level",
           .group = "records",
           .effect = Effect::idempotent,
           .callers = admins,
           .summary = "Sets the lowest level that the log has lines of, until the next start.",
           .args = {required("level", ArgumentType::text, "The least that is worth a line.", "info")
                        .one_of("debug|info|warning|error")},
           .result = "LogLevel",
           .handle = set_log_level,
           .audit = {"log.level_changed", "log", level_before}}};
}

}  // namespace gantry::scheduling
