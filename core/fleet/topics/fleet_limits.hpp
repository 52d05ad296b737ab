// SPDX-License-Identifier: Apache-2.0
//
// How far callers and agents may make the facts of a fleet grow. Facts of an older store beyond a limit are loaded;
// only further growth is refused.
#pragma once

#include <cstddef>

namespace gantry::fleet {

struct FleetLimits {
  std::size_t topics = 100;                               // the drivers' own included
  std::size_t rows = 500'000;                             // hosts and their nodes, in all topics
  std::size_t nodes = 4096;                               // a host
  std::size_t report_keys = 4096;                         // keys a host's or node's report may have, merged
  std::size_t report_bytes = std::size_t{1} << 20;        // the same report as JSON
  std::size_t host_bytes = std::size_t{16} << 20;         // the reports of all nodes of one host
  std::size_t capabilities_bytes = std::size_t{1} << 18;  // one host's capabilities as JSON
  std::size_t aggregates = 10'000;
  std::size_t groups = 100'000;
  std::size_t claims = 2'000'000;
  std::size_t claimed_resources = 256;  // beside the core's, each with a column of its own
  std::size_t instances = 2'000'000;
};

}  // namespace gantry::fleet
