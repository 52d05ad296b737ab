// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/withdrawal.hpp"

namespace gantry::scheduling {

void Withdrawal::finish(State& state) const {
  for (const auto& id : casts) state.casts.acknowledge(id);
}

void Withdrawal::undo(State& state) const {
  for (const auto& claim : claims) state.parts.fleet.restore_claim(claim);
}

void withdraw(State& state, const std::string& instance, const fleet::Claim* kept, Withdrawal& withdrawal,
              store::Batch& batch) {
  for (auto& claim : state.parts.fleet.release_all(instance, kept)) {
    batch.push_back(erased(store::Kind::claim, key_of(claim)));
    withdrawal.claims.push_back(std::move(claim));
  }
  for (auto& id : state.casts.ids_of(instance)) {
    batch.push_back(erased(store::Kind::cast, id));
    withdrawal.casts.push_back(std::move(id));
  }
}

}  // namespace gantry::scheduling
