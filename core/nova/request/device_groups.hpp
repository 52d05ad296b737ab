// SPDX-License-Identifier: Apache-2.0
//
// The groups of a request that ask placement for PCI devices: [filter_scheduler] pci_in_placement of Nova, from Antelope on.
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::nova {

// Returns the ids of the groups in requested_resources that belong to a PCI request of the flavor: they begin with its
// request_id. `spec` is a plain RequestSpec.
std::vector<std::string> device_groups(const json::object& spec);

}  // namespace gantry::nova
