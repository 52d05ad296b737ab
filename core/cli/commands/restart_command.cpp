// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/restart.hpp"

namespace gantry::cli {

namespace {

Result<int> restart(Session& session, const Arguments& arguments) {
  const auto time = arguments.seconds("restart-timeout");
  if (!arguments.flag("wait"))
    return change(session, "restart", restart_arguments(time),
                  "the restart has begun; gantry status tells how it ends");
  const auto restarted = restart_and_wait(session, time);
  if (!restarted) return restarted.error();
  if (session.format() == OutputFormat::json) print_json(session, json::value(*restarted));
  if (session.format() == OutputFormat::table)
    print_notice(session, "restarted: process " + cell_text(json::find(*restarted, "pid")) + " serves");
  return 0;
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
