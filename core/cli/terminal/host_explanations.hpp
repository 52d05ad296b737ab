// SPDX-License-Identifier: Apache-2.0
//
// What became of each host in a decision, for people.
#pragma once

#include <cstddef>
#include <limits>

#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// The verdicts behind each host's first rejection are taken out of a decision's `instances`.
void end_at_rejection(json::object& decision);

struct ExplanationsShown {
  bool verdicts = true;  // of each filter on each host, too
  // So many hosts of those that are left, the best ones, and of those that are out.
  std::size_t most_left = std::numeric_limits<std::size_t>::max();
  std::size_t most_out = std::numeric_limits<std::size_t>::max();
};

// Of a decision, or of the details of one that found no host: for each instance the hosts in their final order, the
// filters' verdicts on them, and the weighers' terms. Nothing where the driver has explained none.
void print_host_explanations(Session& session, const json::object& decision, const ExplanationsShown& shown = {});

}  // namespace gantry::cli
