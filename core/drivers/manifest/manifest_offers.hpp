// SPDX-License-Identifier: Apache-2.0
//
// The [offers.*] tables of a library's manifest. Internal to manifest.cpp.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// In the order of the text, at least one. `strict`: unknown keys are refused.
Result<std::vector<OfferDeclaration>> read_offers(const ManifestTable& offers, bool strict);

}  // namespace gantry::drivers
