// SPDX-License-Identifier: Apache-2.0
//
// Loads a document into a Fleet.
#pragma once

#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::fleet {

// Loads the document into an empty fleet.
void load_document(const Document& document, Fleet& fleet);

}  // namespace gantry::fleet
