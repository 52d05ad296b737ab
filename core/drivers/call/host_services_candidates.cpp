// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/host_services.hpp"

namespace gantry::drivers {
namespace {

const gantry_candidates* candidates_of(gantry_call* call) {
  return call == nullptr ? nullptr : DriverCall::State::of(call)->candidates;
}

gantry_code choose(gantry_call* call, std::uint32_t instance, std::uint32_t row, const std::uint32_t* providers,
                   std::uint32_t count) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  auto& state = *DriverCall::State::of(call);
  const auto wrong = [&state](const std::string& expected, const std::string& found) {
    return state.misused(GANTRY_INVALID_ARGUMENT, "choose: expected " + expected + ", found " + found);
  };
  if (state.candidates == nullptr) return wrong("a request with allocation candidates", "one without");
  if (count != state.candidates->group_count)
    return wrong("a provider for each of " + std::to_string(state.candidates->group_count) + " groups",
                 std::to_string(count));
  if (providers == nullptr) return wrong("providers", "NULL");
  state.choice = {instance, row, {providers, providers + count}};
  return GANTRY_OK;
}

constexpr gantry_candidate_services services_of_candidates{sizeof(gantry_candidate_services), 0, &candidates_of,
                                                           &choose};

}  // namespace

const gantry_candidate_services* candidates_table() {
  return &services_of_candidates;
}

}  // namespace gantry::drivers
