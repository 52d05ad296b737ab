// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/device_constraints.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

using Values = std::span<const std::string_view>;

constexpr std::string_view tpm_versions[] = {"1.2", "2.0"};
constexpr std::string_view tpm_models[] = {"tpm-tis", "tpm-crb"};
constexpr std::string_view secure_boot_policies[] = {"required", "disabled", "optional"};
constexpr std::string_view affinity_policies[] = {"required", "legacy", "preferred", "socket"};
constexpr std::string_view encryption_formats[] = {"plain", "luks", "luksv2"};

bool has(const OptionalText& text) {
  return text && !text->empty();
}

bool is_in(Values values, std::string_view text) {
  return std::find(values.begin(), values.end(), text) != values.end();
}

std::string joined(Values values) {
  std::string all;
  for (const auto value : values) all += (all.empty() ? "" : ", ") + std::string(value);
  return all;
}

std::string shown_bool(bool value) {
  return value ? "True" : "False";
}

// An option that the flavor and the image may both set, to values of another meaning.
struct Conflict {
  std::string flavor_key;
  std::string flavor_value;
  std::string image_key;
  std::string image_value;
  std::string_view image_noun;  // before the key
  std::string_view end;
};

Error conflict(const Flavor& flavor, const Image& image, const Conflict& both) {
  if (!flavor.name) return unset_in_flavor("name");
  if (!image.name) return unset_in_object("name");
  return raised("FlavorImageConflict",
                "Flavor " + *flavor.name + " has " + both.flavor_key + " extra spec explicitly set to " +
                    both.flavor_value + ", conflicting with image " + *image.name + " which has " + both.image_key +
                    std::string(both.image_noun) + " explicitly set to " + both.image_value + std::string(both.end));
}

// Returns the value of the flavor or of the image. Fails if they differ.
Result<OptionalText> agreed_value(const Flavor& flavor, const Image& image, const std::string& prefix,
                                  const std::string& key) {
  auto of_flavor = flavor.extra_spec(prefix + ":" + key);
  auto of_image = image.property(prefix + "_" + key);
  if (has(of_flavor) && has(of_image) && of_flavor != of_image)
    return conflict(flavor, image, {prefix + ":" + key, *of_flavor, prefix + "_" + key, *of_image, "", "."});
  return has(of_flavor) ? of_flavor : of_image;
}

// The wishes of the flavor and the image, each if stated.
struct Wishes {
  OptionalText flavor_text;
  std::optional<bool> flavor;
  std::optional<bool> image;

  bool is_any() const { return flavor.value_or(false) || image.value_or(false); }
  bool differ() const { return flavor && image && flavor != image; }
};

Wishes wishes(const Flavor& flavor, std::string_view key, const std::optional<bool>& of_image) {
  Wishes both{flavor.extra_spec(key), std::nullopt, of_image};
  if (both.flavor_text) both.flavor = python_bool(*both.flavor_text);
  return both;
}

Result<std::string> memory_encryption_requesters(const Flavor& flavor, const Image& image, const Wishes& both) {
  std::string requesters;
  if (both.flavor.value_or(false)) {
    if (!flavor.name) return unset_in_flavor("name");
    requesters = "hw:mem_encryption extra spec in " + *flavor.name + " flavor";
  }
  if (both.image.value_or(false)) {
    if (!image.id) return unset_in_object("id");
    requesters += (requesters.empty() ? "" : " and ") + ("hw_mem_encryption property of image " + *image.id);
  }
  return requesters;
}

Result<void> check_firmware(const Image& image, const std::string& requesters) {
  if (image.property("hw_firmware_type") == "uefi") return {};
  if (!image.name) return unset_in_object("name");
  return raised("FlavorImageConflict", "Memory encryption requested by " + requesters + " but image " + *image.name +
                                           " doesn't have 'hw_firmware_type' property set to 'uefi'");
}

Result<void> check_machine_type(const Image& image) {
  const auto type = image.property("hw_machine_type");
  if (!type || type->find("q35") != std::string::npos) return {};
  if (!image.id) return unset_in_object("id");
  if (!image.name) return unset_in_object("name");
  return raised("InvalidMachineType", "Machine type '" + *type + "' is not compatible with image " + *image.name +
                                          " (" + *image.id + "): q35 type is required for SEV to work");
}

Error invalid_tpm(std::string_view what, const std::string& found, Values allowed) {
  return raised("Invalid", "Invalid TPM " + std::string(what) + " " + python_repr(found) +
                               ". Allowed values: " + joined(allowed) + ".");
}

}  // namespace

Result<bool> wants_memory_encryption(const Flavor& flavor, const Image& image) {
  const auto both = wishes(flavor, "hw:mem_encryption", image.mem_encryption);
  if (!both.is_any()) return false;
  if (both.differ())
    return conflict(
        flavor, image,
        {"hw:mem_encryption", *both.flavor_text, "hw_mem_encryption", shown_bool(*both.image), " property", ""});
  const auto requesters = memory_encryption_requesters(flavor, image, both);
  if (!requesters) return requesters.error();
  if (auto checked = check_firmware(image, *requesters); !checked) return std::move(checked).error();
  if (auto checked = check_machine_type(image); !checked) return std::move(checked).error();
  return true;
}

std::vector<std::string> persistent_memory_labels(const Flavor& flavor) {
  std::vector<std::string> labels;
  const auto listed = flavor.extra_spec("hw:pmem").value_or("");
  for (const auto part : python_split(listed, ',')) {
    if (const auto label = python_strip(part); !label.empty()) labels.emplace_back(label);
  }
  return labels;
}

Result<OptionalText> tpm_version(const Flavor& flavor, const Image& image) {
  auto version = agreed_value(flavor, image, "hw", "tpm_version");
  if (!version) return version.error();
  if (!*version) return OptionalText();
  if (!is_in(tpm_versions, **version)) return invalid_tpm("version", **version, tpm_versions);
  const auto model = agreed_value(flavor, image, "hw", "tpm_model");
  if (!model) return model.error();
  if (*model && !is_in(tpm_models, **model)) return invalid_tpm("model", **model, tpm_models);
  if (*model == "tpm-crb" && *version != "2.0")
    return raised("Invalid", "TPM model CRB is only valid with TPM version 2.0.");
  return version;
}

Result<OptionalText> secure_boot(const Flavor& flavor, const Image& image) {
  auto policy = agreed_value(flavor, image, "os", "secure_boot");
  if (policy && *policy && !is_in(secure_boot_policies, **policy))
    return raised("Invalid", "Invalid secure boot policy " + python_repr(**policy) +
                                 ". Allowed values: " + joined(secure_boot_policies) + ".");
  return policy;
}

Result<OptionalText> pci_numa_affinity(const Flavor& flavor, const Image& image) {
  const auto of_flavor = flavor.extra_spec("hw:pci_numa_affinity_policy");
  const auto of_image = image.property("hw_pci_numa_affinity_policy");
  if (has(of_flavor) && has(of_image) && of_flavor != of_image)
    return raised("ImagePCINUMAPolicyForbidden",
                  "Image property 'hw_pci_numa_affinity_policy' is not permitted to override the "
                  "'hw:pci_numa_affinity_policy' flavor extra spec.");
  const auto policy = has(of_flavor) ? of_flavor : of_image;
  if (has(policy) && !is_in(affinity_policies, *policy))
    return raised("InvalidPCINUMAAffinity", "Invalid PCI NUMA affinity configured: " + *policy);
  return policy;
}

Result<bool> wants_ephemeral_encryption(const Flavor& flavor, const Image& image) {
  const auto both = wishes(flavor, "hw:ephemeral_encryption", image.ephemeral_encryption);
  if (both.differ())
    return conflict(
        flavor, image,
        {"hw:ephemeral_encryption", *both.flavor_text, "hw_eph_encryption", shown_bool(*both.image), " property", ""});
  return both.is_any();
}

Result<OptionalText> ephemeral_encryption_format(const Flavor& flavor, const Image& image) {
  auto format = agreed_value(flavor, image, "hw", "ephemeral_encryption_format");
  if (!format || !has(*format)) return format;
  if (!is_in(encryption_formats, **format))
    return raised("Invalid", "Invalid ephemeral encryption format " + **format +
                                 ". Allowed values: " + joined(encryption_formats));
  return format;
}

}  // namespace gantry::nova
