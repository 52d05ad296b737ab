// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/withdrawal.hpp"

#include <utility>

#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

namespace {

std::vector<std::string> erase_casts(std::vector<std::string> ids, Outcome& outcome) {
  for (const auto& id : ids) outcome.batch.push_back(erased(store::Kind::cast, id));
  return ids;
}

}  // namespace

std::vector<std::string> withdraw(State& state, const std::string& instance, Outcome& outcome) {
  state.parts.fleet.release_claims(instance, outcome.claims);
  return erase_casts(state.casts.ids_of(instance), outcome);
}

std::vector<std::string> withdraw_placement(State& state, const std::string& instance, const fleet::Claim* kept,
                                            Outcome& outcome) {
  state.parts.fleet.release_picks(instance, outcome.claims, kept);
  return erase_casts(state.casts.ids_of(instance, "run_instance"), outcome);
}

Cast termination(const fleet::Instance& instance, json::object shown) {
  Cast cast;
  cast.id = to_text(random_uuid());
  cast.topic = "compute";
  cast.host = instance.host;
  cast.node = instance.node;
  cast.method = "terminate_instance";
  cast.created_at = now_nanoseconds();
  cast.args = {{"instance_uuid", instance.uuid}, {"instance", std::move(shown)}};
  return cast;
}

void forget_casts(State& state, const std::vector<std::string>& ids) {
  for (const auto& id : ids) state.casts.acknowledge(id);
}

}  // namespace gantry::scheduling
