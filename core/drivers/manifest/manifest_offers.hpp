// SPDX-License-Identifier: Apache-2.0
//
// Reads the [offers.*] tables of a library's manifest: its filters and weighers. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Returns the offers in the order of the manifest's text. `strict`: unknown keys are errors.
Result<std::vector<OfferDeclaration>> read_offers(const ManifestTable& offers, bool strict);

}  // namespace gantry::drivers
