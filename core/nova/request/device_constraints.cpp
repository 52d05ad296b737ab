// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/device_constraints.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/flavor_and_image.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

using Values = std::span<const std::string_view>;

constexpr std::string_view tpm_versions[] = {"1.2", "2.0"};
constexpr std::string_view tpm_models[] = {"tpm-tis", "tpm-crb"};
constexpr std::string_view secure_boot_policies[] = {"required", "disabled", "optional"};
constexpr std::string_view affinity_policies[] = {"required", "legacy", "preferred", "socket"};
constexpr std::string_view encryption_formats[] = {"plain", "luks", "luksv2"};
constexpr std::string_view address_spaces[] = {"passthrough", "emulate"};
constexpr std::string_view sound_models[] = {"sb16", "es1370", "pcspk", "ac97", "ich6", "ich9", "usb", "virtio"};

Error invalid(const std::string& what, const std::string& found, Values allowed) {
  return raised("Invalid", "Invalid " + what + " " + python_repr(found) + ". Allowed values: " + joined(allowed) + ".");
}

}  // namespace

std::vector<std::string> persistent_memory_labels(const Flavor& flavor) {
  std::vector<std::string> labels;
  const auto listed = flavor.extra_spec("hw:pmem").value_or("");
  for (const auto part : python_split(listed, ',')) {
    if (const auto label = python_strip(part); !label.empty()) labels.emplace_back(label);
  }
  return labels;
}

Result<std::optional<Tpm>> tpm(const Flavor& flavor, const Image& image) {
  const auto version = agreed_value(flavor, image, "hw", "tpm_version");
  if (!version) return version.error();
  if (!*version) return std::optional<Tpm>();
  if (!is_in(tpm_versions, **version)) return invalid("TPM version", **version, tpm_versions);
  const auto model = agreed_value(flavor, image, "hw", "tpm_model");
  if (!model) return model.error();
  if (*model && !is_in(tpm_models, **model)) return invalid("TPM model", **model, tpm_models);
  if (*model == "tpm-crb" && *version != "2.0")
    return raised("Invalid", "TPM model CRB is only valid with TPM version 2.0.");
  return std::optional<Tpm>(Tpm{**version, model->value_or("tpm-tis")});
}

Result<OptionalText> secure_boot(const Flavor& flavor, const Image& image) {
  auto policy = agreed_value(flavor, image, "os", "secure_boot");
  if (policy && *policy && !is_in(secure_boot_policies, **policy))
    return invalid("secure boot policy", **policy, secure_boot_policies);
  return policy;
}

Result<OptionalText> pci_numa_affinity(const Flavor& flavor, const Image& image) {
  const auto of_flavor = flavor.extra_spec("hw:pci_numa_affinity_policy");
  const auto of_image = image.property("hw_pci_numa_affinity_policy");
  if (has_text(of_flavor) && has_text(of_image) && of_flavor != of_image)
    return raised("ImagePCINUMAPolicyForbidden",
                  "Image property 'hw_pci_numa_affinity_policy' is not permitted to override the "
                  "'hw:pci_numa_affinity_policy' flavor extra spec.");
  const auto policy = has_text(of_flavor) ? of_flavor : of_image;
  if (has_text(policy) && !is_in(affinity_policies, *policy))
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
  if (!format || !has_text(*format)) return format;
  if (!is_in(encryption_formats, **format))
    return raised("Invalid", "Invalid ephemeral encryption format " + **format +
                                 ". Allowed values: " + joined(encryption_formats));
  return format;
}

Result<bool> wants_packed_ring(const Flavor& flavor, const Image& image) {
  const auto both = wishes(flavor, "hw:virtio_packed_ring", image.packed_ring);
  if (both.differ())
    return raised("FlavorImageConflict", "Flavor has hw:virtio_packed_ring extra spec explicitly set to " +
                                             shown_bool(*both.flavor) +
                                             ", conflicting with image which has hw_virtio_packed_ring explicitly "
                                             "set to " +
                                             shown_bool(*both.image) + ".");
  return both.is_any();
}

Result<OptionalText> address_space(const Flavor& flavor, const Image& image) {
  auto mode = agreed_value(flavor, image, "hw", "maxphysaddr_mode");
  if (mode && *mode && !is_in(address_spaces, **mode)) return invalid("Maxphyaddr mode", **mode, address_spaces);
  return mode;
}

Result<OptionalText> sound_model(const Flavor& flavor, const Image& image) {
  auto model = agreed_value(flavor, image, "hw", "sound_model");
  if (model && has_text(*model) && !is_in(sound_models, **model))
    return invalid("sound device model", **model, sound_models);
  return model;
}

}  // namespace gantry::nova
