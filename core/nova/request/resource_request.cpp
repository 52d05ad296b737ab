// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/resource_request.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/nova/request/cpu_constraints.hpp"
#include "core/nova/request/device_constraints.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/request/memory_encryption.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

struct GroupKey {
  bool is_resource = false;  // else a trait
  std::string suffix;
  std::string_view name;
};

bool is_in_suffix(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Parses keys like resources:VCPU and trait_gpu:CUSTOM_FAST. Returns nothing for another key.
std::optional<GroupKey> read_group_key(std::string_view key) {
  constexpr std::string_view resources = "resources";
  constexpr std::string_view trait = "trait";
  constexpr std::size_t longest_suffix = 64;
  const bool is_resource = key.starts_with(resources);
  if (!is_resource && !key.starts_with(trait)) return std::nullopt;
  key.remove_prefix(is_resource ? resources.size() : trait.size());
  const auto colon = key.find(':');
  if (colon == std::string_view::npos || colon > longest_suffix) return std::nullopt;
  const auto suffix = key.substr(0, colon);
  auto name = key.substr(colon + 1);
  if (!std::all_of(suffix.begin(), suffix.end(), is_in_suffix)) return std::nullopt;
  // The pattern of Nova ends before a line's end at the very end, and its dot stops at any other.
  if (name.ends_with('\n')) name.remove_suffix(1);
  if (name.find('\n') != std::string_view::npos) return std::nullopt;
  return GroupKey{is_resource, std::string(suffix), name};
}

void add_extra_specs(const Flavor& flavor, ResourceRequest& request) {
  if (!flavor.extra_specs) return;
  for (const auto& [key, value] : *flavor.extra_specs) {
    if (key == "group_policy") {
      if (value == "none" || value == "isolate") request.group_policy = value;
      continue;
    }
    const auto parts = read_group_key(key);
    if (!parts) continue;
    auto& group = request.group(parts->suffix);
    if (parts->is_resource)
      group.add_resource(parts->name, value);
    else
      group.add_trait(parts->name, value);
  }
}

void add_trait(ResourceRequest& request, std::string_view name, std::string_view type = "required") {
  request.group("").add_trait(name, type);
}

void add_resource(ResourceRequest& request, std::string_view resource_class, std::int64_t amount) {
  request.group("").add_resource(resource_class, std::to_string(amount));
}

Result<void> add_pinned_cpus(const Flavor& flavor, const Image& image, ResourceRequest& request) {
  const auto pinned = pinned_cpus(flavor, image);
  if (!pinned) return pinned.error();
  // Nova's flag is of the policy dedicated alone: for mixed guests, no second question follows.
  request.cpu_pinning_requested = pinned->is_requested && !pinned->is_mixed;
  if (pinned->is_mixed) add_resource(request, "VCPU", pinned->shared);
  if (pinned->is_requested) add_resource(request, "PCPU", pinned->dedicated);
  if (pinned->hyperthreading_trait_type)
    add_trait(request, "HW_CPU_HYPERTHREADING", *pinned->hyperthreading_trait_type);
  return {};
}

Result<void> add_requested_groups(const RequestSpec& spec, ResourceRequest& request) {
  for (const auto& group : spec.requested_resources) {
    if (group.requester_id.empty())
      return raised("ValueError", "Missing requester_id in RequestGroup! This is probably a programmer error.");
    if (group.is_empty())
      return raised("ValueError", "Refusing to add no-op RequestGroup with requester_id=" + group.requester_id +
                                      ". This is a probably a programmer error.");
    if (!request.groups.emplace(group.requester_id, group).second)
      return raised("RequestGroupSuffixConflict", "Duplicate request group suffix " + group.requester_id + ".");
  }
  return {};
}

// Returns the disk that a guest needs. Swap is in MiB. A volume in the place of the root disk counts for nothing.
Result<std::int64_t> disk_gb(const RequestSpec& spec) {
  const auto& flavor = *spec.flavor;
  constexpr double mib_in_gib = 1024.0;
  if (!flavor.ephemeral_gb) return unset_in_flavor("ephemeral_gb");
  if (!flavor.swap) return unset_in_flavor("swap");
  const auto swap_gb = static_cast<std::int64_t>(std::ceil(static_cast<double>(*flavor.swap) / mib_in_gib));
  const auto without_root = *flavor.ephemeral_gb + swap_gb;
  if (spec.is_bfv.value_or(false)) return without_root;
  if (!flavor.root_gb) return unset_in_flavor("root_gb");
  return without_root + *flavor.root_gb;
}

// Adds what the flavor has by itself, where no group asks for that class.
Result<void> add_flavor(const RequestSpec& spec, ResourceRequest& request) {
  std::set<std::string> asked;
  for (const auto& [suffix, group] : request.groups) {
    for (const auto& [resource_class, amount] : group.resources) asked.insert(resource_class);
  }
  const auto& flavor = *spec.flavor;
  if (!asked.contains("VCPU") && !asked.contains("PCPU")) {
    if (!flavor.vcpus) return unset_in_flavor("vcpus");
    add_resource(request, "VCPU", *flavor.vcpus);
  }
  if (!asked.contains("MEMORY_MB")) {
    if (!flavor.memory_mb) return unset_in_flavor("memory_mb");
    add_resource(request, "MEMORY_MB", *flavor.memory_mb);
  }
  if (!asked.contains("DISK_GB")) {
    const auto disk = disk_gb(spec);
    if (!disk) return disk.error();
    if (*disk != 0) add_resource(request, "DISK_GB", *disk);
  }
  return {};
}

// Returns the name of a custom resource class for the text: letters of ASCII and digits stay, each run of others is _.
std::string custom_class(std::string_view text) {
  std::string name = "CUSTOM_";
  bool after_other = false;
  for (const char c : python_upper(text)) {
    const bool other = !((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
    if (!other) name += c;
    if (other && !after_other) name += '_';
    after_other = other;
  }
  return name;
}

void add_persistent_memory(const Flavor& flavor, ResourceRequest& request) {
  std::map<std::string, std::int64_t> amounts;
  for (const auto& label : persistent_memory_labels(flavor)) ++amounts[custom_class("PMEM_NAMESPACE_" + label)];
  for (const auto& [resource_class, amount] : amounts) add_resource(request, resource_class, amount);
}

Result<void> add_memory_encryption(const Flavor& flavor, const Image& image, const QuestionRules& rules,
                                   ResourceRequest& request) {
  const auto model = memory_encryption(flavor, image, rules);
  if (!model) return model.error();
  if (!*model) return {};
  add_resource(request, "MEM_ENCRYPTION_CONTEXT", 1);
  if (!rules.knows_encryption_models) return {};
  constexpr std::pair<std::string_view, std::string_view> traits[] = {{"amd-sev", "HW_CPU_X86_AMD_SEV"},
                                                                      {"amd-sev-es", "HW_CPU_X86_AMD_SEV_ES"},
                                                                      {"amd-sev-snp", "HW_CPU_X86_AMD_SEV_SNP"},
                                                                      {"intel-tdx", "HW_CPU_X86_INTEL_TDX"}};
  for (const auto& [name, trait] : traits) {
    if (**model == name) add_trait(request, trait);
  }
  return {};
}

Result<void> add_tpm(const Flavor& flavor, const Image& image, const QuestionRules& rules, ResourceRequest& request) {
  const auto wanted = tpm(flavor, image);
  if (!wanted) return wanted.error();
  if (!*wanted) return {};
  add_trait(request, (*wanted)->version == "1.2" ? "COMPUTE_SECURITY_TPM_1_2" : "COMPUTE_SECURITY_TPM_2_0");
  if (!rules.knows_tpm_models) return {};
  add_trait(request, (*wanted)->model == "tpm-crb" ? "COMPUTE_SECURITY_TPM_CRB" : "COMPUTE_SECURITY_TPM_TIS");
  return {};
}

// Adds what releases after Zed ask for.
Result<void> add_address_space_and_firmware(const Flavor& flavor, const Image& image, const QuestionRules& rules,
                                            ResourceRequest& request) {
  if (rules.knows_address_spaces) {
    const auto space = address_space(flavor, image);
    if (!space) return space.error();
    if (*space == "passthrough") add_trait(request, "COMPUTE_ADDRESS_SPACE_PASSTHROUGH");
    if (*space == "emulate") add_trait(request, "COMPUTE_ADDRESS_SPACE_EMULATED");
  }
  const auto stateless = wants_stateless_firmware(image, rules);
  if (!stateless) return stateless.error();
  if (*stateless) add_trait(request, "COMPUTE_SECURITY_STATELESS_FIRMWARE");
  return {};
}

Result<void> add_devices(const Flavor& flavor, const Image& image, const QuestionRules& rules,
                         ResourceRequest& request) {
  if (auto added = add_memory_encryption(flavor, image, rules, request); !added) return added;
  add_persistent_memory(flavor, request);
  if (auto added = add_tpm(flavor, image, rules, request); !added) return added;
  const auto affinity = pci_numa_affinity(flavor, image);
  if (!affinity) return affinity.error();
  if (*affinity == "socket") add_trait(request, "COMPUTE_SOCKET_PCI_NUMA_AFFINITY");
  const auto boot = secure_boot(flavor, image);
  if (!boot) return boot.error();
  if (*boot == "required") add_trait(request, "COMPUTE_SECURITY_UEFI_SECURE_BOOT");
  return add_address_space_and_firmware(flavor, image, rules, request);
}

void remove_zeros(ResourceRequest& request) {
  for (auto& [suffix, group] : request.groups) group.remove_zero_amounts();
  std::erase_if(request.groups, [](const auto& entry) { return entry.second.is_empty(); });
}

// Returns the image that an absent one stands for.
Image image_of(const RequestSpec& spec) {
  if (spec.image && *spec.image) return **spec.image;
  Image none;
  none.has_properties = true;
  return none;
}

Result<void> add_all(const RequestSpec& spec, const QuestionRules& rules, bool translate_pinning,
                     ResourceRequest& request) {
  if (!spec.flavor) return unset_in_request_spec("flavor");
  const auto& flavor = *spec.flavor;
  const auto image = image_of(spec);
  add_extra_specs(flavor, request);
  request.suffixed_groups_from_flavor = request.suffixed_groups();
  for (const auto& trait : image.traits_required) add_trait(request, trait);
  if (!image.has_properties) return unset_in_object("properties");
  if (translate_pinning) {
    if (auto added = add_pinned_cpus(flavor, image, request); !added) return added;
  }
  if (auto added = add_requested_groups(spec, request); !added) return added;
  if (auto added = add_flavor(spec, request); !added) return added;
  return add_devices(flavor, image, rules, request);
}

}  // namespace

RequestGroup& ResourceRequest::group(const std::string& suffix) {
  auto& found = groups[suffix];
  found.requester_id = suffix;
  return found;
}

std::size_t ResourceRequest::suffixed_groups() const {
  return groups.size() - groups.count("");
}

std::set<std::string> ResourceRequest::required_traits() const {
  std::set<std::string> traits;
  for (const auto& [suffix, each] : groups) traits.insert(each.required_traits.begin(), each.required_traits.end());
  return traits;
}

Result<ResourceRequest> resource_request(const RequestSpec& spec, const RequestOptions& options,
                                         bool translate_pinning) {
  ResourceRequest request;
  request.limit = options.max_placement_results;
  request.root_required = spec.root_required;
  request.root_forbidden = spec.root_forbidden;
  request.same_subtree = spec.same_subtree;
  if (auto added = add_all(spec, options.rules, translate_pinning, request); !added) return std::move(added).error();
  remove_zeros(request);
  return request;
}

}  // namespace gantry::nova
