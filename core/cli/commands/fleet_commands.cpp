// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"

namespace gantry::cli {

namespace {

Result<int> export_fleet(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("export_fleet", {});
  if (!answer) return std::move(answer).error();
  print_json(session, *answer);
  return 0;
}

}  // namespace

std::vector<Command> fleet_commands() {
  return {{.path = "fleet export",
           .summary = "Prints all that the daemon knows of its fleet, of one instant, as a fleet file",
           .description = "JSON as gantry-fleet(5) describes it, whatever --output says: hosts, services, aggregates, "
                          "server groups, instances and claims. `gantry whatif` decides on it as the daemon does.",
           .examples = {{"gantry fleet export > fleet.json", "to look into later"},
                        {"gantry --timeout 300 fleet export | xz > fleet.json.xz", "a large fleet"}},
           .run = export_fleet}};
}

}  // namespace gantry::cli
