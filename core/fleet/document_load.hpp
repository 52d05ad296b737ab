// SPDX-License-Identifier: Apache-2.0
//
// Puts the facts and claims of a fleet document into a Fleet.
#pragma once

#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::fleet {

// Loads the document. Requires an empty fleet.
void load_document(const Document& document, Fleet& fleet);

}  // namespace gantry::fleet
