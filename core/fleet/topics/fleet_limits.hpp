// SPDX-License-Identifier: Apache-2.0
//
// How far callers and agents may make the facts of a fleet grow. What an older store has beyond a limit is loaded; only
// what grows further is refused.
#pragma once

#include <cstddef>

namespace gantry::fleet {

struct FleetLimits {
  std::size_t topics = 100;                               // those of the drivers' manifests included
  std::size_t rows = 500'000;                             // of all topics: hosts and their nodes
  std::size_t nodes = 4096;                               // of one host
  std::size_t report_keys = 4096;                         // of a host's or node's report, after the merge
  std::size_t report_bytes = std::size_t{1} << 20;        // of the same as JSON
  std::size_t host_bytes = std::size_t{16} << 20;         // of the reports of all nodes of one host
  std::size_t capabilities_bytes = std::size_t{1} << 18;  // of one host's capabilities as JSON
  std::size_t aggregates = 10'000;
  std::size_t groups = 100'000;
  std::size_t claims = 2'000'000;
  std::size_t claimed_resources = 256;  // beside the core's, each with a column of its own
  std::size_t instances = 2'000'000;
};

}  // namespace gantry::fleet
