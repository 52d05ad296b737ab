// SPDX-License-Identifier: Apache-2.0
//
// Persistent memory, TPM, secure boot, PCI affinity, encrypted disks, network rings, address spaces and sound of a flavor
// and an image, with Nova's checks of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns a label for each persistent memory namespace.
std::vector<std::string> persistent_memory_labels(const Flavor& flavor);

struct Tpm {
  std::string version;  // 1.2 or 2.0
  std::string model;    // tpm-tis or tpm-crb
};
Result<std::optional<Tpm>> tpm(const Flavor& flavor, const Image& image);

Result<OptionalText> secure_boot(const Flavor& flavor, const Image& image);
Result<OptionalText> pci_numa_affinity(const Flavor& flavor, const Image& image);
Result<bool> wants_ephemeral_encryption(const Flavor& flavor, const Image& image);
// Returns plain, luks, luksv2 or nothing.
Result<OptionalText> ephemeral_encryption_format(const Flavor& flavor, const Image& image);
Result<bool> wants_packed_ring(const Flavor& flavor, const Image& image);
// Returns passthrough, emulate or nothing.
Result<OptionalText> address_space(const Flavor& flavor, const Image& image);
Result<OptionalText> sound_model(const Flavor& flavor, const Image& image);

}  // namespace gantry::nova
