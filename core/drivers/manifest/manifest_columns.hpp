// SPDX-License-Identifier: Apache-2.0
//
// The columns that a manifest names, for a driver or for one offer of a library. Internal to the manifest's readers.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// The table `columns` of that one, if it has any. `strict`: unknown keys are refused.
Result<void> read_columns(const ManifestTable& owner, bool strict, std::vector<ColumnUse>& needs,
                          std::vector<ColumnUse>& uses);

}  // namespace gantry::drivers
