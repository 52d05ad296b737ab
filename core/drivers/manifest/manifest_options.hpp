// SPDX-License-Identifier: Apache-2.0
//
// The [options.*] tables of a manifest. Internal to manifest.cpp.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// In the order of the text. `strict`: unknown keys are refused.
Result<std::vector<OptionDeclaration>> read_options(const ManifestTable& options, bool strict);

}  // namespace gantry::drivers
