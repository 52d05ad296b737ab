// SPDX-License-Identifier: Apache-2.0
//
// Converts NUMA topologies and limits from and to JSON. Reads Nova's versioned objects (compute_nodes.numa_topology,
// a RequestSpec) and the plain form of recorded decisions. Writes versioned objects. nova/object.hpp describes both
// forms.
#pragma once

#include <boost/json.hpp>
#include <optional>

#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// Read a topology, as JSON or as a JSON text. Return empty for null and for a topology without cells, which Python
// takes for false.
outcome<std::optional<host_topology>> read_host_topology(const boost::json::value& value);
outcome<std::optional<instance_topology>> read_instance_topology(const boost::json::value& value);
// Reads a bare list of InstanceNUMACell.
outcome<std::vector<instance_cell>> read_instance_cells(const boost::json::value& value);
// Return empty for null.
outcome<std::optional<numa_limits>> read_numa_limits(const boost::json::value& value);
outcome<std::optional<network_metadata>> read_network_metadata(const boost::json::value& value);

boost::json::value to_json(const host_topology& topology);
boost::json::value to_json(const instance_topology& topology);
boost::json::value to_json(const numa_limits& limits);

}  // namespace filter_driver
