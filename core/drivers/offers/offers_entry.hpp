// SPDX-License-Identifier: Apache-2.0
//
// Checks the info struct that a library's gantry_offers_entry returns against the library's manifest. Internal to this
// folder.
#pragma once

#include <vector>

#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// Returns the library's tables of functions: one for each offer of the manifest, in the manifest's order. A table is a
// gantry_filter_ops or a gantry_weigher_ops, depending on the kind of the offer. Tables of offers that the manifest leaves
// out are not read.
Result<std::vector<const void*>> check_offers_info(const DriverFile& file, const gantry_offers_info* info);

}  // namespace gantry::drivers
