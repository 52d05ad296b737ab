// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/authority_guard.hpp"

#include <algorithm>
#include <array>

#include "core/scheduling/methods/access.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::string_view own_topic = "compute";

// Methods that change something, but no facts of a topic.
constexpr std::array<std::string_view, 13> without_facts{"acknowledge_cast",
                                                         "create_token",
                                                         "doctor",
                                                         "nova_select_destinations",
                                                         "pause_requests",
                                                         "receive_casts",
                                                         "release_claims",
                                                         "reload",
                                                         "restart",
                                                         "revoke_token",
                                                         "rotate_token",
                                                         "resume_requests",
                                                         "select_destinations"};

}  // namespace

Result<void> check_authority(const State& state, const Method& method, const MethodCall& call) {
  if (state.parts.authority == nullptr || method.effect == Effect::reads) return {};
  if (std::ranges::find(without_facts, method.name) != without_facts.end()) return {};
  const auto topic = text_argument(call, "topic");
  if (!topic.empty() && topic != own_topic) return {};
  return Error{ErrorCode::failed_precondition, std::string(method.name) + ": " + state.parts.authority->refusal(), {}};
}

bool asks_authority(const Method& method) {
  return method.name == "select_destinations";
}

}  // namespace gantry::scheduling
