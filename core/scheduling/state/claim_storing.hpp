// SPDX-License-Identifier: Apache-2.0
//
// Turns changes to claims in memory into changes of the store.
#pragma once

#include "core/fleet/claims/claim_changes.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// Adds to `batch` one change for each claim that `changes` stores or erases.
void store_claims(const fleet::ClaimChanges& changes, store::Batch& batch);

}  // namespace gantry::scheduling
