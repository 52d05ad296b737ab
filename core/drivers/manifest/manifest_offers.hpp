// SPDX-License-Identifier: Apache-2.0
//
// Reads the [offers.*] tables of a library's manifest: its filters and weighers. Internal to this folder.
#pragma once

#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

struct ReadOffers {
  std::vector<OfferDeclaration> kept;  // in the order of the manifest's text
  std::vector<LeftOutOffer> left_out;
};

// `strict`: unknown keys and kinds are errors. Otherwise unknown keys are passed over, and offers of unknown kinds are
// left out.
Result<ReadOffers> read_offers(const ManifestTable& offers, bool strict);

}  // namespace gantry::drivers
