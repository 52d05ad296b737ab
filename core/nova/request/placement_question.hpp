// SPDX-License-Identifier: Apache-2.0
//
// The question for placement's allocation candidates, from a RequestSpec as the conductor sends it.
#pragma once

#include <optional>
#include <string>

#include "core/encoding/json.hpp"
#include "core/nova/request/lookups.hpp"
#include "core/nova/request/options.hpp"
#include "core/nova/request/request_spec.hpp"
#include "core/nova/request/resource_request.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns the resource request with the aggregates, hosts and limit that the destination, forced hosts and hints mean.
// If one node is found for a destination's host or node, the destination gets both names. Fails as Nova does, with
// NoValidHost if there is no compute node of the names.
Result<ResourceRequest> resources_from_request_spec(RequestSpec& spec, const RequestOptions& options,
                                                    const RequestLookups& lookups, bool translate_pinning = true);

struct PlacementQuestion {
  json::object spec;  // plain, as the request filters left it, without the URLs of cells; hosts are filtered by it
  std::string query;  // for GET /allocation_candidates
  std::optional<std::string> fallback_query;  // the answer's candidates go after those of `query`
  OptionalText only_cell;                     // the uuid of the cell whose hosts alone are decided on
};

// Applies the request filters and returns the question. `spec` is a versioned object or a plain one. Nova asks nothing
// for a rebuild: the caller leaves this call out then.
Result<PlacementQuestion> placement_question(json::object spec, const RequestOptions& options,
                                             const RequestLookups& lookups);

}  // namespace gantry::nova
