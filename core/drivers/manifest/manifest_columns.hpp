// SPDX-License-Identifier: Apache-2.0
//
// Reads the columns of a driver, or of one offer of a library, from a manifest. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Reads the optional table `columns` below `owner`, the table of a driver or an offer. Appends to `needs` and `uses`.
// `strict`: unknown keys are errors.
Result<void> read_columns(const ManifestTable& owner, bool strict, std::vector<ColumnUse>& needs,
                          std::vector<ColumnUse>& uses);

}  // namespace gantry::drivers
