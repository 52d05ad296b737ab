// SPDX-License-Identifier: Apache-2.0
//
// Which hosts a request may be filtered among at all: requested destination, ignored, forced hosts and nodes, as Nova's
// HostManager.get_filtered_hosts does it before any filter. Zed compares host names without regard to case, nodes with.
#pragma once

#include <cstdint>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/options.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

struct host_selection {
  std::vector<std::uint64_t> rows;  // bitmap
  // Hosts or nodes are forced: no filter is asked.
  bool skips_filters = false;
};

// Throws gantry::failure with invalid_argument where Nova raises: a destination with its host and not its node, hints
// that are null where they decide.
host_selection select_hosts(const host_table& hosts, const request_facts& request, release compatibility);

}  // namespace filter_driver
