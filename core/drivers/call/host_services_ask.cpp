// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/asker.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/encoding/json.hpp"

namespace gantry::drivers {
namespace {

gantry_code break_rule_of_ask(DriverCall::State& state, const std::string& expected, const std::string& found) {
  return state.misused(GANTRY_INVALID_ARGUMENT, "ask: expected " + expected + ", found " + found);
}

gantry_code check_question(DriverCall::State& state, gantry_string json, const gantry_answer& out) {
  constexpr std::size_t least = GANTRY_END_OF(gantry_answer, body);
  if (out.struct_size < least)
    return break_rule_of_ask(state, "struct_size of at least " + std::to_string(least),
                             std::to_string(out.struct_size));
  if (json.size > GANTRY_MOST_ASK_BYTES)
    return break_rule_of_ask(state, "a question of at most " + std::to_string(GANTRY_MOST_ASK_BYTES) + " bytes",
                             std::to_string(json.size));
  const auto parsed = json::parse(from_abi(json), json::max_part_depth);
  return parsed ? GANTRY_OK : break_rule_of_ask(state, "a question in JSON", parsed.error().message);
}

ServiceAnswer answer_of(DriverCall::State& state, gantry_string name, gantry_string json) {
  if (state.settings.asker == nullptr)
    return {GANTRY_UNSUPPORTED, 0,
            "expected a call of select_destinations, schedule_run_instance or call_method, found another operation"};
  if (++state.asks > GANTRY_MOST_ASKS)
    return {GANTRY_RESOURCE_EXHAUSTED, 0,
            "expected at most " + std::to_string(GANTRY_MOST_ASKS) + " questions in a call, found more"};
  return state.settings.asker->ask(from_abi(name), from_abi(json));
}

gantry_code ask(gantry_call* call, gantry_string name, gantry_string json, gantry_answer* out) {
  if (call == nullptr || out == nullptr) return GANTRY_INVALID_ARGUMENT;
  auto& state = *DriverCall::State::of(call);
  if (const auto code = check_question(state, json, *out)) return code;
  gantry_answer known{};
  const ServiceAnswer answer = answer_of(state, name, json);
  auto* const body = static_cast<char*>(state.arena.allocate(std::max<std::size_t>(answer.body.size(), 1), 1));
  if (body == nullptr) {
    fill_in(*out, known);
    return state.fail(GANTRY_RESOURCE_EXHAUSTED, "ask: expected memory for the answer, found none");
  }
  std::ranges::copy(answer.body, body);
  known.status = answer.status;
  known.body = {body, answer.body.size()};
  fill_in(*out, known);
  return answer.code == GANTRY_OK ? GANTRY_OK : state.fail(answer.code, "ask: " + answer.body);
}

constexpr gantry_ask_services services_of_ask{sizeof(gantry_ask_services), 0, &ask};

}  // namespace

const gantry_ask_services* ask_table() {
  return &services_of_ask;
}

}  // namespace gantry::drivers
