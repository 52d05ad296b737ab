// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/withdrawal.hpp"

namespace gantry::scheduling {

void Withdrawal::finish(State& state) const {
  for (const auto& id : casts) state.casts.acknowledge(id);
  state.parts.fleet.release(claims);
}

void Withdrawal::undo(State& state) const {
  state.parts.fleet.keep(claims);
}

bool store_claim(State& state, fleet::Claim& claim, store::Batch& batch) {
  std::vector<fleet::Claim> replaced;
  if (!state.parts.fleet.confirm_claim(claim, replaced)) return false;
  for (const auto& before : replaced) batch.push_back(erased(store::Kind::claim, key_of(before)));
  batch.push_back(stored(store::Kind::claim, key_of(claim), claim));
  return true;
}

void withdraw(State& state, const std::string& instance, const fleet::Claim* kept, Withdrawal& withdrawal,
              store::Batch& batch) {
  for (auto& claim : state.parts.fleet.begin_release(instance, kept)) {
    batch.push_back(erased(store::Kind::claim, key_of(claim)));
    withdrawal.claims.push_back(std::move(claim));
  }
  for (auto& id : state.casts.ids_of(instance)) {
    batch.push_back(erased(store::Kind::cast, id));
    withdrawal.casts.push_back(std::move(id));
  }
}

}  // namespace gantry::scheduling
