// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/routed_networks.hpp"

#include <algorithm>
#include <utility>

#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

using Uuids = std::vector<std::string>;

constexpr std::string_view invalid_network = "InvalidRoutedNetworkConfiguration";

bool is_named(const OptionalText& id) {
  return id && !id->empty();
}

// Appends the aggregates of a segment.
Result<void> append_aggregates(const NetworkLookups& networks, const std::string& segment, Uuids& aggregates) {
  const auto found = networks.aggregates_of_segment(segment);
  if (!found) return found.error();
  if (found->empty()) return raised(invalid_network, "Failed to find aggregate related to segment " + segment);
  aggregates.insert(aggregates.end(), found->begin(), found->end());
  return {};
}

Result<Uuids> aggregates_of_network(const NetworkLookups& networks, const std::string& id) {
  const auto segments = networks.segments_of_network(id);
  if (!segments) return segments.error();
  Uuids aggregates;
  for (const auto& segment : *segments) {
    if (auto appended = append_aggregates(networks, segment, aggregates); !appended) return std::move(appended).error();
  }
  return aggregates;
}

Result<Uuids> aggregates_of_subnet(const NetworkLookups& networks, const std::string& id) {
  const auto segment = networks.segment_of_subnet(id);
  if (!segment) return segment.error();
  Uuids aggregates;
  if (!is_named(*segment)) return aggregates;
  if (auto appended = append_aggregates(networks, **segment, aggregates); !appended) return std::move(appended).error();
  return aggregates;
}

// Tells the user of a network without aggregates, and passes on any other error.
Result<Uuids> or_request_failed(Result<Uuids> aggregates, const std::string& what) {
  if (aggregates || exception_of(aggregates.error()) != invalid_network) return aggregates;
  return raised("RequestFilterFailed", "Scheduling failed: Aggregates not found for the " + what);
}

// Returns the aggregates of a requested network. Returns nothing if the request names neither network nor port.
Result<std::optional<Uuids>> aggregates_of(const NetworkLookups& networks, const RequestedNetwork& requested) {
  auto network = requested.network_id;
  if (is_named(requested.port_id)) {
    const auto port = networks.port(*requested.port_id);
    if (!port) return port.error();
    if (port->subnet_id) {
      auto found = or_request_failed(aggregates_of_subnet(networks, *port->subnet_id), "subnet " + *port->subnet_id);
      if (!found) return std::move(found).error();
      return std::optional<Uuids>(*std::move(found));
    }
    network = port->network_id;
  }
  if (!is_named(network)) return std::optional<Uuids>();
  auto found = or_request_failed(aggregates_of_network(networks, *network), "network " + *network);
  if (!found) return std::move(found).error();
  return std::optional<Uuids>(*std::move(found));
}

}  // namespace

Result<bool> routed_networks_filter(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups) {
  if (!options.query_placement_for_routed_network_aggregates) return false;
  if (!spec.requested_networks) return true;
  spec.make_destination();
  const auto* const networks = lookups.networks();
  // Nova's own slip: a network that names nothing gets the aggregates of the network before it.
  std::optional<Uuids> aggregates;
  for (const auto& requested : *spec.requested_networks) {
    if (networks == nullptr)
      return unsupported(
          "[scheduler]query_placement_for_routed_network_aggregates asks Neutron for the segments of the requested "
          "networks, and Neutron cannot be asked");
    auto found = aggregates_of(*networks, requested);
    if (!found) return std::move(found).error();
    if (*found) aggregates = **std::move(found);
    if (!aggregates)
      return raised("UnboundLocalError",
                    "cannot access local variable 'aggregates' where it is not associated with a value");
    if (!aggregates->empty()) spec.require_aggregates(*aggregates);
  }
  return true;
}

Result<bool> remote_managed_ports_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups& lookups) {
  for (const auto& id : ports_to_look_up(spec)) {
    const auto* const networks = lookups.networks();
    if (networks == nullptr)
      return unsupported("the request names port " + id +
                         ", whose VNIC type decides on the hosts, and Neutron cannot be asked");
    const auto port = networks->port(id);
    if (!port) return port.error();
    if (port->is_remote_managed) spec.root_required.insert("COMPUTE_REMOTE_MANAGED_PORTS");
  }
  return true;
}

std::vector<std::string> ports_to_look_up(const RequestSpec& spec) {
  std::vector<std::string> ports;
  if (!spec.requested_networks) return ports;
  for (const auto& requested : *spec.requested_networks) {
    if (is_named(requested.port_id)) ports.push_back(*requested.port_id);
  }
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

}  // namespace gantry::nova
