// SPDX-License-Identifier: Apache-2.0
//
// The two request filters that look at the networks of a request.
#pragma once

#include <string>
#include <vector>

#include "core/nova/request/lookups.hpp"
#include "core/nova/request/options.hpp"
#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Requires the aggregates of the segments of each requested network.
Result<bool> routed_networks_filter(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups);

// Requires remote-managed ports of the host if a requested port is one.
Result<bool> remote_managed_ports_filter(RequestSpec& spec, const RequestOptions& options,
                                         const RequestLookups& lookups);

// Returns the ports that the filters will look up, so that a caller can fetch them at once. Each port once.
std::vector<std::string> ports_to_look_up(const RequestSpec& spec);

}  // namespace gantry::nova
