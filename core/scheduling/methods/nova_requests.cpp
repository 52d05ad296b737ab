// SPDX-License-Identifier: Apache-2.0
//
// Requests of Nova, where Gantry has the place of its nova-scheduler: whether they are taken, and the way past the broker.
#include <tuple>
#include <utility>

#include "core/scheduling/authority.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Error no_deployment() {
  return {ErrorCode::failed_precondition,
          "this gantryd is in the place of no nova-scheduler: its nova.config_files is empty",
          {}};
}

Outcome set_paused(State& state, bool is_paused) {
  if (state.parts.authority == nullptr) return failed(no_deployment());
  auto answer = state.parts.authority->set_paused(is_paused);
  if (!answer) return failed(std::move(answer).error());
  (*answer)["paused"] = is_paused;
  Outcome outcome;
  outcome.reply = json::value(*std::move(answer));
  return outcome;
}

Outcome pause_requests(State& state, const MethodCall& /*call*/) {
  return set_paused(state, true);
}

Outcome resume_requests(State& state, const MethodCall& /*call*/) {
  return set_paused(state, false);
}

constexpr std::size_t longest_unique_id = 64;
constexpr std::int64_t least_patience_ms = 1000;
constexpr std::int64_t longest_patience_ms = 86'400'000;

void nova_select_destinations(State& state, const MethodCall& call, const Done& done) {
  for (const auto& [name, least, most] : {std::tuple{"wait_ms", std::int64_t{0}, longest_wait_ms},
                                          std::tuple{"patience_ms", least_patience_ms, longest_patience_ms}}) {
    if (auto read = optional_integer(call.args, name, least, least, most); !read) return done(std::move(read).error());
  }
  const auto size = json::find_string(call.args, "unique_id").value_or("").size();
  if (size == 0 || size > longest_unique_id)
    return done(Error{ErrorCode::invalid_argument,
                      "argument 'unique_id': expected a text of 1 to 64 bytes, found " + std::to_string(size),
                      {}});
  if (state.parts.authority == nullptr) return done(no_deployment());
  state.parts.authority->take(call, done);
}

}  // namespace

std::vector<Method> nova_request_methods() {
  using enum ArgumentType;
  return {
      {.name = "nova_select_destinations",
       .group = "scheduling",
       .effect = Effect::idempotent,
       .callers = services,
       .summary = "What nova-scheduler's RPC of that name does, with its answers and failures, past the broker.",
       .args =
           {required("unique_id", text, "Of the request: a repeat with the same one gets the same answer.",
                     "0f4c7a52d6b04bd1a9c2e8f3b7d15e60"),
            required("spec_obj", object, "Nova's RequestSpec object.",
                     R"({"nova_object.name":"RequestSpec","nova_object.namespace":"nova",)"
                     R"("nova_object.version":"1.14","nova_object.data":{}})"),
            optional("instance_uuids", texts, "One for each instance.", R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02"])"),
            optional("return_objects", truth, "Selection objects in place of dictionaries.").otherwise("false"),
            optional("return_alternates", truth, "A list for each instance, the chosen host first.").otherwise("false"),
            optional("wait_ms", integer, "How long to wait for the answer, but no longer than a call may take.")
                .between(0, longest_wait_ms)
                .otherwise("20000"),
            optional("patience_ms", integer, "When the request fails, counted from its first call.")
                .between(least_patience_ms, longest_patience_ms)
                .otherwise("1800000")},
       .result = "NovaReply",
       .handle = nova_select_destinations,
       .subject = compute_topic},
      {.name = "pause_requests",
       .group = "scheduling",
       .effect = Effect::idempotent,
       .callers = admins,
       .summary = "Takes no further requests of Nova, also after a restart, and answers those under way.",
       .args = {},
       .result = "Paused",
       .handle = pause_requests},
      {.name = "resume_requests",
       .group = "scheduling",
       .effect = Effect::idempotent,
       .callers = admins,
       .summary = "Takes requests of Nova again after a pause.",
       .args = {},
       .result = "Paused",
       .handle = resume_requests}};
}

}  // namespace gantry::scheduling
