// SPDX-License-Identifier: Apache-2.0
//
// The resources and traits that a request asks of placement: Nova's ResourceRequest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/nova/request/options.hpp"
#include "core/nova/request/request_group.hpp"
#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct ResourceRequest {
  std::map<std::string, RequestGroup> groups;  // by suffix; the unsuffixed group has the empty one
  OptionalText group_policy;
  std::optional<std::int64_t> limit;  // the most candidates to answer
  std::set<std::string> root_required;
  std::set<std::string> root_forbidden;
  std::vector<std::vector<std::string>> same_subtree;
  std::size_t suffixed_groups_from_flavor = 0;
  bool cpu_pinning_requested = false;  // a second question with VCPU in the place of PCPU follows

  // Returns the group of the suffix. Adds it if there is none.
  RequestGroup& group(const std::string& suffix);
  std::size_t suffixed_groups() const;
  std::set<std::string> required_traits() const;  // the traits of all groups
};

// Returns the resources and traits of flavor, image, ports and devices. `translate_pinning` false leaves out what CPU
// policies ask, as the second question does. Fails as Nova does.
Result<ResourceRequest> resource_request(const RequestSpec& spec, const RequestOptions& options,
                                         bool translate_pinning = true);

// Returns the query of GET /allocation_candidates: sorted, and encoded as Nova encodes it.
std::string query_string(const ResourceRequest& request);

}  // namespace gantry::nova
