// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ostream>
#include <utility>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"

namespace gantry::cli {

namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds interval{100};
constexpr Milliseconds margin{30'000};         // beyond the time that the new process has: for the requests under way
constexpr Milliseconds unknown_time{600'000};  // where the daemon's configuration says how long it may take

// Returns the restart of that id as `status` tells of it. nullopt: no daemon answers, or it tells of another one.
std::optional<json::object> look(Session& session, std::string_view id) {
  const auto status = session.call_within("status", {}, Milliseconds(5'000));
  if (!status || !status->is_object()) return std::nullopt;
  const auto* const last = json::find_object(status->get_object(), "last_restart");
  if (last == nullptr || json::find_string(*last, "id") != id) return std::nullopt;
  return *last;
}

Result<int> follow(Session& session, const std::string& id, Milliseconds patience) {
  for (Milliseconds waited{0}; waited < patience; waited += interval) {
    const auto restart = look(session, id);
    const auto outcome = restart ? json::find_string(*restart, "outcome").value_or("") : "";
    if (outcome == "succeeded") {
      if (session.format() == OutputFormat::json) print_json(session, json::value(*restart));
      if (session.format() == OutputFormat::table)
        print_notice(session, "restarted: process " + cell_text(json::find(*restart, "pid")) + " serves");
      return 0;
    }
    if (outcome == "failed") {
      return Error{ErrorCode::failed_precondition,
                   "the restart has failed, process " + cell_text(json::find(*restart, "pid")) +
                       " serves as before: " + cell_text(json::find(*restart, "reason")),
                   {}};
    }
    session.pause(interval);
  }
  return Error{ErrorCode::deadline_exceeded, "the end of restart " + id + " is not known; see gantry status", {}};
}

Result<int> restart(Session& session, const Arguments& arguments) {
  json::object args;
  auto patience = unknown_time;
  if (const auto time = arguments.seconds("restart-timeout")) {
    args["timeout_seconds"] = static_cast<std::int64_t>(std::ceil(std::chrono::duration<double>(*time).count()));
    patience = *time + margin;
  }
  if (!arguments.flag("wait"))
    return change(session, "restart", args, "the restart has begun; gantry status tells how it ends");
  const auto begun = session.call("restart", args);
  if (!begun) return begun.error();
  const auto id = begun->is_object() ? json::find_string(begun->get_object(), "id") : std::nullopt;
  if (!id) return Error{ErrorCode::internal, "the daemon's answer names no restart", {}};
  return follow(session, std::string(*id), patience);
}

}  // namespace

std::vector<Command> restart_commands() {
  return {
      {.path = "restart",
       .summary = "Has a new process take over from the daemon, without a lost or refused request",
       .description =
           "The daemon starts its program anew, as the file is now. The new process reads the configuration, tries "
           "out and loads the drivers, and only then takes over: sockets, connections and the store. If it fails, "
           "crashes or takes longer than server.restart_timeout, the daemon goes on as before and tells why: here "
           "with --wait, in its log, in gantry status and in the metric gantry_restarts_total. With --wait the exit "
           "status is 0 if the new process serves and 1 if the old one goes on. Needs the role admin.",
       .options = {{.name = "wait", .help = "Waits until the restart has ended, and tells how"},
                   {.name = "restart-timeout",
                    .kind = ValueKind::number,
                    .value_name = "SECONDS",
                    .help = "How long the new process may take until it can take over; otherwise "
                            "server.restart_timeout",
                    .minimum = 1,
                    .maximum = 86'400}},
       .examples = {{"gantry restart --wait", "after a driver or the configuration was changed"},
                    {"gantry restart --wait --restart-timeout 300", "a driver takes long to create"}},
       .run = restart}};
}

}  // namespace gantry::cli
