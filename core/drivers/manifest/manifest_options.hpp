// SPDX-License-Identifier: Apache-2.0
//
// Reads the [options.*] tables of a manifest. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Returns the options in the order of the manifest's text. `strict`: unknown keys are errors.
Result<std::vector<OptionDeclaration>> read_options(const ManifestTable& options, bool strict);

}  // namespace gantry::drivers
