// SPDX-License-Identifier: Apache-2.0
//
// Checks the answer of a library's gantry_offers_entry against its manifest. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// Returns the tables of the library, one for each offer of the manifest, in the same order.
Result<std::vector<const void*>> check_offers_info(const DriverFile& file, const gantry_offers_info* info);

}  // namespace gantry::drivers
