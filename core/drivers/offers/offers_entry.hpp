// SPDX-License-Identifier: Apache-2.0
//
// What the one exported function of a library of offers returns, checked against its manifest. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// The library's tables, one for each offer of the manifest and in its order.
Result<std::vector<const void*>> check_offers_info(const DriverFile& file, const gantry_offers_info* info);

}  // namespace gantry::drivers
