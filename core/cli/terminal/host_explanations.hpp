// SPDX-License-Identifier: Apache-2.0
//
// Prints the fate of each host in a decision.
#pragma once

#include <cstddef>
#include <limits>

#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// Removes the verdicts after each host's first rejection from a decision's `instances`.
void end_at_rejection(json::object& decision);

struct ExplanationsShown {
  bool verdicts = true;  // true: print each filter's verdict on each host
  // The numbers of hosts to print: of those that passed all filters, best first, and of those that were rejected.
  std::size_t most_left = std::numeric_limits<std::size_t>::max();
  std::size_t most_out = std::numeric_limits<std::size_t>::max();
};

// Prints, for each instance, the hosts in their final order, the filters' verdicts and the weighers' terms. `decision`
// may be the details of a NoValidHost. Prints nothing if the driver reported no hosts.
void print_host_explanations(Session& session, const json::object& decision, const ExplanationsShown& shown = {});

}  // namespace gantry::cli
