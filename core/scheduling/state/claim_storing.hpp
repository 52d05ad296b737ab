// SPDX-License-Identifier: Apache-2.0
//
// Changes to claims, as changes of the store.
#pragma once

#include "core/fleet/claims/claim_changes.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// Adds to `batch` the documents that `changes` stores and erases.
void store_claims(const fleet::ClaimChanges& changes, store::Batch& batch);

}  // namespace gantry::scheduling
