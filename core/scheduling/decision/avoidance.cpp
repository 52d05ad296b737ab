// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/avoidance.hpp"

#include <string>
#include <unordered_map>

namespace gantry::scheduling {

namespace {

std::string image_of(const RequestSpec& spec) {
  const auto* image = json::find_object(spec.plain, "image");
  if (image == nullptr) return {};
  return std::string(json::find_string(*image, "name").value_or(json::find_string(*image, "id").value_or("")));
}

// A request that names its hosts knows what it wants.
bool names_hosts(const RequestSpec& spec) {
  return !spec.force_hosts.empty() || !spec.force_nodes.empty() || !spec.requested_host.empty() ||
         !spec.requested_node.empty();
}

// Returns whether there are hosts to avoid.
bool find_avoided(State& state, InstanceRequest& request) {
  if (!state.changeable.avoid_failing_hosts || state.parts.authority != nullptr || names_hosts(request.spec))
    return false;
  const auto failing =
      state.build_failures.avoided(kinds_of_build(request.spec.flavor, image_of(request.spec)), now_nanoseconds());
  if (failing.empty()) return false;
  std::unordered_map<std::string, std::string> sentences;
  for (const auto& each : failing) sentences.emplace(each.host, sentence_of(each));
  request.at = Instant::now(state);
  const auto* view = request.at->moment.view("compute");
  for (std::uint32_t row = 0; view != nullptr && row < view->rows; ++row) {
    const auto found = sentences.find(std::string(request.at->moment.row_name(*view, row).host));
    if (found != sentences.end()) request.avoided.emplace(row, found->second);
  }
  if (request.avoided.empty()) request.at.reset();
  return !request.avoided.empty();
}

}  // namespace

Result<std::unique_ptr<InstanceDecision>> decide_avoiding(State& state, const MethodCall& call,
                                                          InstanceRequest& request) {
  if (!find_avoided(state, request)) return decide(state, call, request);
  {
    request.is_attempt = true;
    auto decided = decide(state, call, request);
    const bool is_over = decided ? (*decided)->sink->placed() == request.spec.num_instances
                                 : decided.error().code != ErrorCode::no_valid_host;
    if (is_over) return decided;
  }
  request.is_attempt = false;
  request.avoided.clear();
  request.at.reset();
  return decide(state, call, request);
}

}  // namespace gantry::scheduling
