// SPDX-License-Identifier: Apache-2.0
//
// Memory encryption, persistent memory, TPM, secure boot, PCI affinity and encrypted disks of a flavor and an image,
// with Nova's checks of them.
#pragma once

#include <string>
#include <vector>

#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

Result<bool> wants_memory_encryption(const Flavor& flavor, const Image& image);
// Returns a label for each persistent memory namespace.
std::vector<std::string> persistent_memory_labels(const Flavor& flavor);
// Returns 1.2, 2.0 or nothing.
Result<OptionalText> tpm_version(const Flavor& flavor, const Image& image);
Result<OptionalText> secure_boot(const Flavor& flavor, const Image& image);
Result<OptionalText> pci_numa_affinity(const Flavor& flavor, const Image& image);
Result<bool> wants_ephemeral_encryption(const Flavor& flavor, const Image& image);
// Returns plain, luks, luksv2 or nothing.
Result<OptionalText> ephemeral_encryption_format(const Flavor& flavor, const Image& image);

}  // namespace gantry::nova
