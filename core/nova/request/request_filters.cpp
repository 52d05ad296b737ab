// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/request_filters.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/nova/request/device_constraints.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/request/flavor_and_image.hpp"
#include "core/nova/request/python_text.hpp"
#include "core/nova/request/resource_request.hpp"
#include "core/nova/request/routed_networks.hpp"
#include "core/nova/request/trait_names.hpp"

namespace gantry::nova {

namespace {

// Returns the uuids of the aggregates that have a metadata item for which `matches` is true.
template <class Matches>
std::vector<std::string> aggregates_with(const RequestLookups& lookups, Matches matches) {
  std::vector<std::string> uuids;
  for (const auto& aggregate : lookups.aggregates()) {
    if (std::any_of(aggregate.metadata.begin(), aggregate.metadata.end(), matches)) uuids.push_back(aggregate.uuid);
  }
  return uuids;
}

Result<bool> isolate_aggregates(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups) {
  if (!options.enable_isolated_aggregate_filtering) return false;
  const auto request = resource_request(spec, options);
  if (!request) return request.error();
  constexpr std::string_view prefix = "trait:";
  const auto traits = request->required_traits();
  const auto is_asked = [&](std::string_view key) {
    return std::any_of(traits.begin(), traits.end(), [&](const auto& trait) {
      return lookups.are_equal_in_database(key, std::string(prefix) + trait);
    });
  };
  const auto isolated = aggregates_with(lookups, [&](const auto& item) {
    const std::string_view key = item.first;
    return lookups.are_equal_in_database(item.second, "required") &&
           lookups.are_equal_in_database(key.substr(0, prefix.size()), prefix) && !is_asked(key);
  });
  if (!isolated.empty()) spec.make_destination().forbidden_aggregates.insert(isolated.begin(), isolated.end());
  return true;
}

Result<bool> require_tenant_aggregate(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups) {
  if (!options.limit_tenants_to_placement_aggregate) return false;
  if (!spec.project_id) return unset_in_request_spec("project_id");
  const auto& project = *spec.project_id;
  if (!project) return raised("AssertionError", "");
  const auto own = aggregates_with(lookups, [&](const auto& item) {
    return item.first.starts_with("filter_tenant_id") && lookups.are_equal_in_database(item.second, *project);
  });
  if (!own.empty())
    spec.require_aggregates(own);
  else if (options.placement_aggregate_required_for_tenants)
    return raised("RequestFilterFailed", "Scheduling failed: No hosts available for tenant");
  return true;
}

Result<bool> map_az_to_placement_aggregate(RequestSpec& spec, const RequestOptions& options,
                                           const RequestLookups& lookups) {
  if (options.rules.zones_may_be_left_to_a_filter && !options.query_placement_for_availability_zone) return false;
  if (!spec.availability_zone) return unset_in_request_spec("availability_zone");
  const auto& zone = *spec.availability_zone;
  if (!zone || zone->empty()) return false;
  const auto of_zone = aggregates_with(lookups, [&](const auto& item) {
    return lookups.are_equal_in_database(item.first, "availability_zone") &&
           lookups.are_equal_in_database(item.second, *zone);
  });
  if (!of_zone.empty()) spec.require_aggregates(of_zone);
  return true;
}

// Returns the image. Nova fails if the request has none.
Result<const Image*> image_in(const RequestSpec& spec, std::string_view attribute) {
  if (!spec.image) return unset_in_request_spec("image");
  if (!*spec.image)
    return raised("AttributeError", "'NoneType' object has no attribute '" + std::string(attribute) + "'");
  return &**spec.image;
}

Result<const Image*> image_with_properties(const RequestSpec& spec) {
  auto image = image_in(spec, "properties");
  if (image && !(*image)->has_properties) return unset_in_object("properties");
  return image;
}

Result<bool> require_image_type_support(RequestSpec& spec, const RequestOptions& options, const RequestLookups&) {
  if (!options.query_placement_for_image_type_support) return false;
  if (!spec.is_bfv) return unset_in_request_spec("is_bfv");
  if (*spec.is_bfv) return false;
  const auto image = image_in(spec, "disk_format");
  if (!image) return image.error();
  if (!(*image)->disk_format) return unset_in_object("disk_format");
  const auto trait = "COMPUTE_IMAGE_TYPE_" + python_upper(*(*image)->disk_format);
  if (!is_known_trait(trait, options.rules)) return false;
  spec.root_required.insert(trait);
  return true;
}

constexpr std::pair<std::string_view, std::string_view> trait_prefixes[] = {
    {"hw_cdrom_bus", "COMPUTE_STORAGE_BUS"},
    {"hw_disk_bus", "COMPUTE_STORAGE_BUS"},
    {"hw_video_model", "COMPUTE_GRAPHICS_MODEL"},
    {"hw_vif_model", "COMPUTE_NET_VIF_MODEL"},
    {"hw_architecture", "HW_ARCH"},
    {"hw_emulation_architecture", "COMPUTE_ARCH"},
    {"hw_viommu_model", "COMPUTE_VIOMMU"},
};

Result<bool> transform_image_metadata(RequestSpec& spec, const RequestOptions& options, const RequestLookups&) {
  if (!options.image_metadata_prefilter) return false;
  const auto image = image_with_properties(spec);
  if (!image) return image.error();
  std::vector<std::string> traits;
  for (const auto& [key, prefix] : trait_prefixes) {
    auto value = (*image)->property(key);
    if (!value) continue;
    std::replace(value->begin(), value->end(), '-', '_');
    auto trait = std::string(prefix) + "_" + python_upper(*value);
    if (!is_known_trait(trait, options.rules)) return false;
    traits.push_back(std::move(trait));
  }
  spec.root_required.insert(traits.begin(), traits.end());
  return true;
}

Result<bool> compute_status_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  spec.root_forbidden.insert("COMPUTE_STATUS_DISABLED");
  return true;
}

Result<bool> accelerators_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  if (!spec.flavor->extra_specs) return unset_in_flavor("extra_specs");
  const auto profile = spec.flavor->extra_spec("accel:device_profile");
  if (profile && !profile->empty()) spec.root_required.insert("COMPUTE_ACCELERATORS");
  return true;
}

Result<bool> ephemeral_encryption_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  const auto image = image_with_properties(spec);
  if (!image) return image.error();
  const auto wanted = wants_ephemeral_encryption(*spec.flavor, **image);
  if (!wanted) return wanted.error();
  if (!*wanted) return false;
  const auto format = ephemeral_encryption_format(*spec.flavor, **image);
  if (!format) return format.error();
  spec.root_required.insert("COMPUTE_EPHEMERAL_ENCRYPTION");
  if (*format && !(*format)->empty())
    spec.root_required.insert("COMPUTE_EPHEMERAL_ENCRYPTION_" + python_upper(**format));
  return true;
}

Result<bool> packed_virtqueue_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  const auto image = image_with_properties(spec);
  if (!image) return image.error();
  const auto wanted = wants_packed_ring(*spec.flavor, **image);
  if (!wanted) return wanted.error();
  if (*wanted) spec.root_required.insert("COMPUTE_NET_VIRTIO_PACKED");
  return true;
}

Result<bool> virtio_sound_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  const auto image = image_with_properties(spec);
  if (!image) return image.error();
  const auto model = sound_model(*spec.flavor, **image);
  if (!model) return model.error();
  if (*model != "virtio") return false;
  spec.root_required.insert("COMPUTE_SOUND_MODEL_VIRTIO");
  return true;
}

Result<bool> tpm_secret_security_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups&) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  const auto image = image_with_properties(spec);
  if (!image) return image.error();
  const auto wanted = tpm(*spec.flavor, **image);
  if (!wanted) return wanted.error();
  if (!*wanted) return false;
  constexpr std::string_view levels[] = {"user", "host", "deployment"};
  auto level = spec.flavor->extra_spec("hw:tpm_secret_security").value_or("");
  if (level.empty()) level = levels[0];
  if (!is_in(levels, level))
    return raised("RequestFilterFailed", "Scheduling failed: TPM secret security '" + level + "' is not supported.");
  spec.root_required.insert("COMPUTE_SECURITY_TPM_SECRET_SECURITY_" + python_upper(level));
  return true;
}

// Returns the text up to its last '-', or all of it.
std::string_view before_last_dash(std::string_view text) {
  return text.substr(0, std::min(text.rfind('-'), text.size()));
}

Result<bool> owner_nova_filter(RequestSpec& spec, const RequestOptions&, const RequestLookups& lookups) {
  constexpr const char* own = "OWNER_NOVA";
  if (spec.root_required.contains(own)) return true;
  if (lookups.lowest_compute_version() < version_with_owner_trait) return false;
  spec.root_required.insert(own);
  for (auto& group : spec.requested_resources) {
    const std::string request(before_last_dash(group.requester_id));
    if (!request.empty() && spec.pci_request_ids.contains(request)) group.required_traits.insert(own);
  }
  return true;
}

}  // namespace

const std::array<RequestFilter, 14> request_filters = {{
    {"require_tenant_aggregate", nullptr, require_tenant_aggregate},
    {"map_az_to_placement_aggregate", nullptr, map_az_to_placement_aggregate},
    {"require_image_type_support", nullptr, require_image_type_support},
    {"compute_status_filter", nullptr, compute_status_filter},
    {"isolate_aggregates", nullptr, isolate_aggregates},
    {"transform_image_metadata", nullptr, transform_image_metadata},
    {"accelerators_filter", nullptr, accelerators_filter},
    {"packed_virtqueue_filter", &QuestionRules::knows_packed_rings, packed_virtqueue_filter},
    {"routed_networks_filter", nullptr, routed_networks_filter},
    {"remote_managed_ports_filter", nullptr, remote_managed_ports_filter},
    {"ephemeral_encryption_filter", nullptr, ephemeral_encryption_filter},
    {"virtio_sound_filter", &QuestionRules::knows_sound_models, virtio_sound_filter},
    {"tpm_secret_security_filter", &QuestionRules::knows_tpm_secrets, tpm_secret_security_filter},
    {"owner_nova_filter", &QuestionRules::asks_for_own_providers, owner_nova_filter},
}};

bool has_filter(const RequestOptions& options, const RequestFilter& filter) {
  return filter.since == nullptr || options.rules.*filter.since;
}

Result<void> apply_request_filters(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups) {
  for (const auto& filter : request_filters) {
    if (!has_filter(options, filter)) continue;
    auto applied = filter.apply(spec, options, lookups);
    if (applied) continue;
    if (exception_of(applied.error()) != "RequestFilterFailed") return std::move(applied).error();
    return raised("NoValidHost", "No valid host was found. " + applied.error().message);
  }
  return {};
}

}  // namespace gantry::nova
