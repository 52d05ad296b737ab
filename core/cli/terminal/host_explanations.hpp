// SPDX-License-Identifier: Apache-2.0
//
// Prints why each host was chosen or rejected in a decision.
#pragma once

#include <cstddef>
#include <limits>

#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// Shortens the filters' verdicts on each host in a decision: removes the verdicts after the one that rejected the host.
void end_at_rejection(json::object& decision);

// How much to print.
struct ExplanationsShown {
  bool verdicts = true;  // true: print each filter's verdict on each host
  // The largest numbers of hosts to print: most_left of the hosts that passed all filters, best first, and most_out of
  // the rejected hosts.
  std::size_t most_left = std::numeric_limits<std::size_t>::max();
  std::size_t most_out = std::numeric_limits<std::size_t>::max();
};

// Prints for each instance the hosts in their final order, the filters' verdicts and the weighers' terms. A term is the
// part of a host's weight that comes from one weigher. `decision` may also be the details of a NoValidHost error.
// Prints nothing if the driver explained no hosts.
void print_host_explanations(Session& session, const json::object& decision, const ExplanationsShown& shown = {});

}  // namespace gantry::cli
