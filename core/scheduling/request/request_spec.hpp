// SPDX-License-Identifier: Apache-2.0
//
// The request spec in one internal form. Nova has two forms, the dictionaries of its older interface and the versioned
// RequestSpec object. Both are converted to this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

struct Hint {
  std::string key;
  std::vector<std::string> values;
};

// A server group as the request itself carries it.
struct RequestedGroup {
  std::string uuid;
  std::string name;
  std::string policy;
  std::string rules = "{}";
  std::vector<std::string> members;
  std::vector<std::string> hosts;
};

struct RequestSpec {
  RequestSpec() = default;
  explicit RequestSpec(json::object whole) : plain(std::move(whole)) {}
  RequestSpec(RequestSpec&&) = default;
  RequestSpec& operator=(RequestSpec&&) = delete;  // an assignment would copy `plain` into other memory

  std::uint32_t num_instances = 1;
  std::vector<std::string> instance_uuids;  // num_instances of them, or none
  std::optional<std::int64_t> vcpus;
  std::optional<std::int64_t> memory_mb;
  std::optional<std::int64_t> root_gb;
  std::optional<std::int64_t> ephemeral_gb;
  std::optional<std::int64_t> swap_mb;
  std::optional<bool> is_bfv;
  std::string flavor;
  std::vector<std::pair<std::string, std::string>> extra_specs;
  std::vector<std::pair<std::string, std::string>> image_properties;
  std::string availability_zone;
  std::string project_id;
  std::string user_id;
  std::vector<std::string> force_hosts;
  std::vector<std::string> force_nodes;
  std::vector<std::string> ignore_hosts;
  std::string requested_host;
  std::string requested_node;
  std::string cell_uuid;                                         // of the requested destination
  std::vector<std::pair<std::string, std::string>> retry_hosts;  // (host, node)
  std::uint64_t retry_attempts = 0;
  std::vector<Hint> hints;
  std::optional<RequestedGroup> group;

  // The whole request spec with the members of Nova's RequestSpec, without envelopes and secrets. Lies in the memory of
  // the parsed request.
  json::object plain;
  json::object filter_properties;  // as given; of a RequestSpec object: its hints, forced and ignored hosts
  std::string original;            // the request spec as received, without its secrets

  // The GB of a host's disk that an instance needs: root (unless it boots from a volume), ephemeral and swap.
  double disk_gb() const;
  // nullptr if the request has no such hint.
  const Hint* hint(std::string_view key) const;
};

// Parses either form of the request spec. `instance_uuids`, unless empty, is the caller's own list and decides the
// number of instances. Error invalid_argument names the member, the expected value and the found one.
Result<RequestSpec> parse_request_spec(json::value request_spec, const json::object& filter_properties,
                                       std::vector<std::string> instance_uuids);

// Adds the members of Nova's RequestSpec to a request_spec of the older interface, from its own members and from
// filter_properties. Members without a counterpart stay as they are.
void adopt_dictionaries(json::object& request_spec, const json::object& filter_properties);

}  // namespace gantry::scheduling
