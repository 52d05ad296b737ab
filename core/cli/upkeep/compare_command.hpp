// SPDX-License-Identifier: Apache-2.0
//
// `gantry fleet compare`: what hosts report to run, beside the servers on record.
#pragma once

#include <vector>

#include "core/cli/terminal/command.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

std::vector<Command> compare_commands();

// Compares an exported fleet (gantry-fleet(5)). Returns {"findings": [{"instance", "name", "vm_state", "host",
// "reported_by", "what"}], "servers", "hosts", "silent_hosts"}, where silent hosts have not said what they run.
json::object compare_fleet(const json::object& fleet);

}  // namespace gantry::cli
