// SPDX-License-Identifier: Apache-2.0
//
// Selects the hosts that a request allows, before any filter runs: the requested destination, ignored hosts, and forced
// hosts and nodes, as in Nova's HostManager.get_filtered_hosts. Zed ignores case in the names of ignored and forced
// hosts, but not in the names of nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/options.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

struct host_selection {
  std::vector<std::uint64_t> rows;  // bitmap
  // True if the request forces hosts or nodes: no filter runs then. Exception: with Nova's Zed rules, filters run where
  // a host is checked for an existing instance.
  bool skips_filters = false;
};

// Throws gantry::failure with invalid_argument where Nova raises: if a destination sets the host but not the node, or
// if the hints are null and Nova reads them.
host_selection select_hosts(const host_table& hosts, const request_facts& request, release compatibility);

}  // namespace filter_driver
