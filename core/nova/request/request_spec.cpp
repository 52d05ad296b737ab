// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/request_spec.hpp"

#include <algorithm>
#include <cstddef>

#include "core/nova/request/member_reader.hpp"

namespace gantry::nova {

namespace {

OptionalText found_in(const std::vector<std::pair<std::string, std::string>>& pairs, std::string_view key) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == key; });
  return found == pairs.end() ? OptionalText() : OptionalText(found->second);
}

Flavor read_flavor(MemberReader& reader) {
  Flavor flavor;
  flavor.name = reader.text("name");
  if (!flavor.name && reader.has("name")) flavor.name = "None";
  flavor.vcpus = reader.integer("vcpus");
  flavor.memory_mb = reader.integer("memory_mb");
  flavor.root_gb = reader.integer("root_gb");
  flavor.ephemeral_gb = reader.integer("ephemeral_gb");
  flavor.swap = reader.integer("swap");
  if (reader.has_value("extra_specs")) flavor.extra_specs = reader.text_pairs("extra_specs");
  return flavor;
}

constexpr const char* text_properties[] = {
    "hw_architecture",
    "hw_cdrom_bus",
    "hw_cpu_policy",
    "hw_cpu_realtime_mask",
    "hw_cpu_thread_policy",
    "hw_disk_bus",
    "hw_emulation_architecture",
    "hw_ephemeral_encryption_format",
    "hw_firmware_type",
    "hw_machine_type",
    "hw_maxphysaddr_mode",
    "hw_mem_encryption_model",
    "hw_pci_numa_affinity_policy",
    "hw_sound_model",
    "hw_tpm_model",
    "hw_tpm_version",
    "hw_vif_model",
    "hw_video_model",
    "hw_viommu_model",
    "os_secure_boot",
};

Image read_image(MemberReader& reader) {
  Image image;
  image.id = reader.text("id");
  image.name = reader.text("name");
  image.disk_format = reader.text("disk_format");
  auto properties = reader.object("properties");
  image.has_properties = properties.has_value();
  if (!properties) return image;
  for (const auto* const key : text_properties) {
    if (auto text = properties->text(key)) image.properties.emplace_back(key, *std::move(text));
  }
  image.mem_encryption = properties->flexible_boolean("hw_mem_encryption");
  image.ephemeral_encryption = properties->flexible_boolean("hw_ephemeral_encryption");
  image.packed_ring = properties->flexible_boolean("hw_virtio_packed_ring");
  image.stateless_firmware = properties->flexible_boolean("hw_firmware_stateless");
  image.traits_required = properties->texts("traits_required");
  return image;
}

RequestGroup read_group(MemberReader& reader) {
  RequestGroup group;
  group.resources = reader.amounts("resources");
  group.required_traits = reader.text_set("required_traits");
  group.forbidden_traits = reader.text_set("forbidden_traits");
  group.aggregates = reader.text_lists("aggregates");
  group.forbidden_aggregates = reader.text_set("forbidden_aggregates");
  group.in_tree = reader.text("in_tree");
  group.requester_id = reader.text("requester_id").value_or("");
  return group;
}

Destination read_destination(MemberReader& reader) {
  Destination destination;
  destination.host = reader.text("host");
  destination.node = reader.text("node");
  if (auto cell = reader.object("cell")) destination.cell_uuid = cell->text("uuid");
  destination.allow_cross_cell_move = reader.boolean("allow_cross_cell_move").value_or(false);
  destination.aggregates = reader.texts("aggregates");
  destination.forbidden_aggregates = reader.text_set("forbidden_aggregates");
  return destination;
}

Field<std::string> text_field(MemberReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::nullopt;
  return Field<std::string>(std::in_place, reader.text(key));
}

void read_networks(MemberReader& reader, RequestSpec& spec) {
  if (!reader.has_value("requested_networks")) return;
  auto& networks = spec.requested_networks.emplace();
  for (auto& network : reader.objects("requested_networks"))
    networks.push_back({network.text("network_id"), network.text("port_id")});
}

void read_image_and_hints(MemberReader& reader, RequestSpec& spec) {
  if (reader.has("image")) spec.image.emplace();
  if (auto image = reader.object("image")) spec.image->emplace(read_image(*image));
  if (reader.has("scheduler_hints")) spec.scheduler_hints.emplace();
  if (const auto hints = reader.object("scheduler_hints")) {
    auto& names = spec.scheduler_hints->emplace();
    for (const auto& hint : hints->members()) names.emplace(hint.key());
  }
}

// A PCI request without an alias comes from a port.
void read_pci_requests(MemberReader& reader, RequestSpec& spec) {
  auto pci_requests = reader.object("pci_requests");
  if (!pci_requests) return;
  for (auto& request : pci_requests->objects("requests")) {
    auto id = request.text("request_id");
    if (request.has_value("alias_name") && id && !id->empty()) spec.pci_request_ids.insert(*std::move(id));
  }
}

void read_level_params(MemberReader& reader, RequestSpec& spec) {
  auto params = reader.object("request_level_params");
  if (!params) return;
  spec.root_required = params->text_set("root_required");
  spec.root_forbidden = params->text_set("root_forbidden");
  spec.same_subtree = params->text_lists("same_subtree");
}

template <class Texts>
json::array to_json(const Texts& texts) {
  json::array list;
  for (const auto& text : texts) list.emplace_back(text);
  return list;
}

// Returns the member as an object, and makes it one if it is absent or null.
json::object& object_in(json::object& object, std::string_view key) {
  auto& member = object[key];
  return member.is_object() ? member.get_object() : member.emplace_object();
}

void write_destination(const Destination& destination, json::object& object) {
  if (destination.host) object["host"] = *destination.host;
  if (destination.node) object["node"] = *destination.node;
  if (!destination.aggregates.empty()) object["aggregates"] = to_json(destination.aggregates);
  if (!destination.forbidden_aggregates.empty())
    object["forbidden_aggregates"] = to_json(destination.forbidden_aggregates);
}

// Writes the required traits of the groups that require others than before.
void write_required_traits(const std::vector<RequestGroup>& groups, json::object& plain) {
  auto* const member = plain.if_contains("requested_resources");
  if (member == nullptr || !member->is_array() || member->get_array().size() != groups.size()) return;
  for (std::size_t at = 0; at < groups.size(); ++at) {
    auto& written = member->get_array()[at].get_object()["required_traits"];
    const auto traits = to_json(groups[at].required_traits);
    const auto before = written.is_array() ? written.get_array().size() : 0;
    if (before != traits.size()) written = traits;
  }
}

}  // namespace

OptionalText Flavor::extra_spec(std::string_view key) const {
  return extra_specs ? found_in(*extra_specs, key) : OptionalText();
}

OptionalText Image::property(std::string_view key) const {
  return found_in(properties, key);
}

Destination& RequestSpec::make_destination() {
  return requested_destination ? *requested_destination : requested_destination.emplace();
}

void RequestSpec::require_aggregates(const std::vector<std::string>& uuids) {
  std::string any;
  for (std::size_t at = 0; at < uuids.size(); ++at) any += (at == 0 ? "" : ",") + uuids[at];
  make_destination().aggregates.push_back(std::move(any));
}

Result<RequestSpec> read_request_spec(const json::object& plain) {
  std::optional<Error> fault;
  MemberReader reader(plain, "RequestSpec", fault);
  RequestSpec spec;
  if (auto flavor = reader.object("flavor")) spec.flavor = read_flavor(*flavor);
  spec.project_id = text_field(reader, "project_id");
  spec.availability_zone = text_field(reader, "availability_zone");
  spec.is_bfv = reader.boolean("is_bfv");
  spec.force_hosts = reader.texts("force_hosts");
  spec.force_nodes = reader.texts("force_nodes");
  for (auto& group : reader.objects("requested_resources")) spec.requested_resources.push_back(read_group(group));
  if (auto destination = reader.object("requested_destination"))
    spec.requested_destination = read_destination(*destination);
  read_image_and_hints(reader, spec);
  read_networks(reader, spec);
  read_pci_requests(reader, spec);
  read_level_params(reader, spec);
  if (fault) return *std::move(fault);
  return spec;
}

void write_changes(const RequestSpec& spec, json::object& plain) {
  if (spec.requested_destination)
    write_destination(*spec.requested_destination, object_in(plain, "requested_destination"));
  write_required_traits(spec.requested_resources, plain);
  auto& params = object_in(plain, "request_level_params");
  params["root_required"] = to_json(spec.root_required);
  params["root_forbidden"] = to_json(spec.root_forbidden);
  auto& same_subtree = params["same_subtree"].emplace_array();
  for (const auto& suffixes : spec.same_subtree) same_subtree.push_back(to_json(suffixes));
}

}  // namespace gantry::nova
