// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/claim_storing.hpp"

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

void store_claims(const fleet::ClaimChanges& changes, store::Batch& batch) {
  for (const auto& step : changes.steps()) {
    switch (step.write) {
      case fleet::ClaimWrite::none: break;
      case fleet::ClaimWrite::store: batch.push_back(stored(store::Kind::claim, key_of(step.claim), step.claim)); break;
      case fleet::ClaimWrite::erase: batch.push_back(erased(store::Kind::claim, key_of(step.claim))); break;
    }
  }
}

}  // namespace gantry::scheduling
