// SPDX-License-Identifier: Apache-2.0
//
// The members of Nova's RequestSpec that decide what placement is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/nova/request/request_group.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// A field that may be unset, and that may be null. Nova fails where it reads an unset field.
template <class T>
using Field = std::optional<std::optional<T>>;

using OptionalText = std::optional<std::string>;

struct Flavor {
  OptionalText name;  // "None" if the field is null
  std::optional<std::int64_t> vcpus;
  std::optional<std::int64_t> memory_mb;
  std::optional<std::int64_t> root_gb;
  std::optional<std::int64_t> ephemeral_gb;
  std::optional<std::int64_t> swap;  // MiB
  std::optional<std::vector<std::pair<std::string, std::string>>> extra_specs;

  // Returns the value, or nothing if the flavor has no extra specs or not this one.
  OptionalText extra_spec(std::string_view key) const;
};

struct Image {
  OptionalText id;
  OptionalText name;
  OptionalText disk_format;
  bool has_properties = false;
  std::vector<std::pair<std::string, std::string>> properties;  // the ones that are texts and that Nova reads here
  std::optional<bool> mem_encryption;
  std::optional<bool> ephemeral_encryption;
  std::optional<bool> packed_ring;
  std::optional<bool> stateless_firmware;
  std::vector<std::string> traits_required;

  OptionalText property(std::string_view key) const;
};

struct Destination {
  OptionalText host;
  OptionalText node;
  OptionalText cell_uuid;
  bool allow_cross_cell_move = false;
  std::vector<std::string> aggregates;  // uuids with commas between: any of them; a host meets each entry
  std::set<std::string> forbidden_aggregates;
};

struct RequestedNetwork {
  OptionalText network_id;
  OptionalText port_id;
};

struct RequestSpec {
  std::optional<Flavor> flavor;
  Field<Image> image;
  Field<std::string> project_id;
  Field<std::string> availability_zone;
  std::optional<bool> is_bfv;  // boots from a volume
  std::vector<std::string> force_hosts;
  std::vector<std::string> force_nodes;
  Field<std::set<std::string>> scheduler_hints;  // their names
  std::optional<std::vector<RequestedNetwork>> requested_networks;
  std::set<std::string> pci_request_ids;  // the PCI requests of the flavor
  // Below: what request filters change.
  std::vector<RequestGroup> requested_resources;
  std::optional<Destination> requested_destination;
  std::set<std::string> root_required;
  std::set<std::string> root_forbidden;
  std::vector<std::vector<std::string>> same_subtree;

  Destination& make_destination();
  // Requires a host in one of the aggregates, besides what is required already.
  void require_aggregates(const std::vector<std::string>& uuids);
};

// Reads a plain RequestSpec. Fails with ValueError, naming the member, what was expected and what was found.
Result<RequestSpec> read_request_spec(const json::object& plain);

// Writes requested_destination, request_level_params and the required traits of requested_resources into the plain RequestSpec that `spec` was read from.
void write_changes(const RequestSpec& spec, json::object& plain);

}  // namespace gantry::nova
