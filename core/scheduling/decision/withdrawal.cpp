// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/withdrawal.hpp"

namespace gantry::scheduling {

std::vector<std::string> withdraw(State& state, const std::string& instance, const fleet::Claim* kept,
                                  Outcome& outcome) {
  state.parts.fleet.release_claims(instance, outcome.claims, kept);
  auto casts = state.casts.ids_of(instance);
  for (const auto& id : casts) outcome.batch.push_back(erased(store::Kind::cast, id));
  return casts;
}

void forget_casts(State& state, const std::vector<std::string>& ids) {
  for (const auto& id : ids) state.casts.acknowledge(id);
}

}  // namespace gantry::scheduling
