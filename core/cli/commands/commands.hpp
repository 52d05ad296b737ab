// SPDX-License-Identifier: Apache-2.0
//
// The parts of the command table. Each function returns the commands that one source file defines.
#pragma once

#include <vector>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::vector<Command> status_commands();
std::vector<Command> page_commands();
std::vector<Command> stats_commands();
std::vector<Command> top_commands();
std::vector<Command> doctor_commands();
std::vector<Command> reload_commands();
std::vector<Command> restart_commands();
std::vector<Command> events_commands();
std::vector<Command> server_commands();
std::vector<Command> host_commands();
std::vector<Command> service_commands();
std::vector<Command> aggregate_commands();
std::vector<Command> group_commands();
std::vector<Command> schedule_commands();
std::vector<Command> select_commands();
std::vector<Command> capacity_commands();
std::vector<Command> decision_commands();
std::vector<Command> whatif_commands();
std::vector<Command> fleet_commands();
std::vector<Command> driver_commands();
std::vector<Command> driver_test_commands();
std::vector<Command> config_commands();
std::vector<Command> nova_commands();
std::vector<Command> agent_commands();
std::vector<Command> token_commands();
std::vector<Command> documentation_commands();

// Runs `gantry host import`.
Result<int> import_hosts(Session& session, const Arguments& arguments);
// Runs `gantry config import-nova`.
Result<int> import_nova(Session& session, const Arguments& arguments);

}  // namespace gantry::cli
