// SPDX-License-Identifier: Apache-2.0
//
// The resource providers of placement that serve PCI requests, from Antelope on.
#pragma once

#include <string_view>
#include <vector>

namespace filter_driver {

// For each PCI request, the uuids of its providers, one for each device and with repetitions. A request without
// providers takes any devices.
using request_providers = std::vector<std::vector<std::string_view>>;

}  // namespace filter_driver
