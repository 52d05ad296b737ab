// SPDX-License-Identifier: Apache-2.0
//
// The request spec (what to place, and under which conditions) in one internal form. Nova has two forms: the
// dictionaries request_spec and filter_properties of its older interface, and the versioned object RequestSpec. Both
// are converted to the internal form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// A scheduler hint. A value that is not text is kept as JSON text.
struct Hint {
  std::string key;
  std::vector<std::string> values;
};

// The server group of a request.
struct RequestedGroup {
  std::string uuid;
  std::string name;
  std::string policy;
  std::string rules = "{}";          // JSON object
  std::vector<std::string> members;  // instance uuids
  std::vector<std::string> hosts;    // hosts of members, as listed in the request itself
};

// A parsed request spec. A member that the request does not give is unset or empty.
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
  std::optional<bool> is_bfv;  // the instances boot from a volume
  std::string flavor;          // name of the flavor
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
  std::string cell_uuid;                                         // the cell that requested_destination names
  std::vector<std::pair<std::string, std::string>> retry_hosts;  // (host, node): hosts that earlier attempts tried
  std::uint64_t retry_attempts = 0;                              // attempts so far
  std::vector<Hint> hints;
  std::optional<RequestedGroup> group;  // the group that the request itself carries

  // The whole request spec with the members of Nova's RequestSpec, without envelopes and secrets. Lies in the memory of
  // the JSON value that was parsed.
  json::object plain;
  // As the caller gave them, without secrets. If a RequestSpec object comes without filter properties, they are made
  // from its members: hints, forced and ignored hosts, retry and limits.
  json::object filter_properties;
  std::string original;  // the request spec as received, envelopes included, without secrets

  // The GB of a host's disk that an instance needs: root (unless it boots from a volume), ephemeral and swap.
  double disk_gb() const;
  // Returns the hint with that key. nullptr if the request has no such hint.
  const Hint* hint(std::string_view key) const;
};

// Parses either form of the request spec. `instance_uuids`, unless empty, replaces the list in the request spec. If
// there are uuids, their number is the number of instances, whatever num_instances says. The error invalid_argument
// names the member, the expected value and the found value.
Result<RequestSpec> parse_request_spec(json::value request_spec, const json::object& filter_properties,
                                       std::vector<std::string> instance_uuids);

// Adds the members of Nova's RequestSpec to a request_spec of the older interface. Their values come from the older
// members of request_spec and from filter_properties. Members that request_spec has already stay as they are.
void adopt_dictionaries(json::object& request_spec, const json::object& filter_properties);

}  // namespace gantry::scheduling
