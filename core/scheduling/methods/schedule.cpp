// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/drivers/abi/abi_text.hpp"
#include "core/encoding/uuid.hpp"
#include "core/scheduling/decision/method_sink.hpp"
#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/decision/policy_questions.hpp"
#include "core/scheduling/decision/withdrawal.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/state/cast_room.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

Cast to_cast(const MethodSink::Message& message, const std::string& topic, std::int64_t now) {
  Cast cast;
  cast.id = to_text(random_uuid());
  cast.topic = topic;
  cast.host = message.host;
  cast.node = message.node;
  cast.method = message.method;
  cast.args = message.args;
  cast.consumer = message.consumer;
  cast.created_at = now;
  return cast;
}

telemetry::Line line_of(const MethodCall& call, const PinnedMoment& pinned, const drivers::Driver& driver,
                        std::string_view topic, std::string_view method) {
  return {telemetry::Level::info,
          "scheduled",
          {{"request_id", call.request_id},
           {"topic", std::string(topic)},
           {"driver", driver.manifest().id},
           {"method", std::string(method)},
           {"reason", {}},
           {"microseconds", std::to_string(pinned.microseconds())}}};
}

Error ended(const fleet::Claim& claim) {
  return {ErrorCode::unavailable,
          "the claim of '" + claim.consumer + "' on host '" + claim.host +
              "' was ended by another call before it was stored; try again",
          {}};
}

// Stores the method's claims and casts with its answer.
Outcome outcome_of(State& state, const std::string& topic, MethodSink& sink, std::int64_t now) {
  auto outcome = changing(state);
  for (auto& ticket : sink.tickets()) {
    const auto is_for_claim = [&ticket](const auto& message) { return message.consumer == ticket.claim().consumer; };
    if (std::any_of(sink.messages().begin(), sink.messages().end(), is_for_claim)) ticket.await_cast();
  }
  if (const auto* lost = confirm_all(sink.tickets(), outcome.claims)) return failed(ended(*lost));
  outcome.reply = sink.answer().value_or(json::value(nullptr));
  std::vector<std::string> ids;
  for (const auto& message : sink.messages()) {
    auto cast = to_cast(message, topic, now);
    outcome.batch.push_back({store::Kind::cast, cast.id, json::write(to_json(cast))});
    ids.push_back(cast.id);
    state.casts.hold(std::move(cast));
  }
  outcome.committed = [&state, ids] {
    for (const auto& id : ids) state.casts.release(id);
  };
  outcome.undo = [&state, ids] { forget_casts(state, ids); };
  return outcome;
}

Outcome schedule(State& state, const MethodCall& call) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto method = required_text(call.args, "schedule_method");
  if (!method) return failed(std::move(method).error());
  auto kwargs = optional_object(call.args, "kwargs");
  if (!kwargs) return failed(std::move(kwargs).error());
  auto driver = state.parts.drivers.require(*topic);
  if (!driver) return failed(std::move(driver).error());
  if (auto room = check_cast_room(state); !room) return failed(std::move(room).error());

  PinnedMoment pinned(state, call, *topic);
  if (pinned.view == nullptr)
    return failed({ErrorCode::internal, "the fleet has no view of topic '" + *topic + "'", {}});
  MethodSink sink(&state.parts.fleet, pinned.moment, pinned.view, pinned.now);
  PolicyQuestions questions(state.parts.policy_services, (*driver)->manifest().id, pinned.deadline);
  auto settings = pinned.settings(&sink);
  settings.asker = &questions;
  drivers::DriverCall driver_call(std::move(settings));
  const auto args = json::write_canonical(without_secrets(*kwargs));
  gantry_method_call method_call{};
  method_call.struct_size = sizeof method_call;
  method_call.topic = drivers::to_abi(*topic);
  method_call.method = drivers::to_abi(*method);
  method_call.args = drivers::to_abi(args);
  method_call.view = pinned.view;
  method_call.complete = (*driver)->complete_rows(driver_call, *pinned.view);
  auto called = (*driver)->call_method(driver_call, method_call);
  auto line = line_of(call, pinned, **driver, *topic, *method);
  state.parts.counters->add("schedule", *topic, 1);
  if (!called) {
    if (called.error().code != ErrorCode::no_valid_host) return failed(std::move(called).error(), std::move(line));
    return failed(no_valid_host({{"driver", (*driver)->manifest().id}},
                                no_valid_host_reason(called.error().message, {}, sink.steps()), sink.steps()),
                  std::move(line));
  }
  auto outcome = outcome_of(state, *topic, sink, pinned.now);
  outcome.line = std::move(line);
  return outcome;
}

Subject topic_alone(const State& /*state*/, const MethodCall& call) {
  return {.topic = text_argument(call, "topic")};
}

}  // namespace

std::vector<Method> schedule_methods() {
  using enum ArgumentType;
  return {{.name = "schedule",
           .group = "scheduling",
           .effect = Effect::changes,
           .callers = services,
           .summary = "Calls a method that the driver of a topic offers.",
           .args = {required("topic", text, "The topic, whose driver answers.", "volume"),
                    required("schedule_method", text, "The driver's method.", "create_volume"),
                    optional("kwargs", object,
                             "Its arguments; passwords, tokens and injected files among them do not reach it.",
                             R"({"volume_id":"6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0b01","size":1})")},
           .result = "DriverAnswer",
           .handle = schedule,
           .subject = topic_alone,
           .driver = schedule_driver}};
}

}  // namespace gantry::scheduling
