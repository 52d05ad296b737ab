// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>

#include <memory>

#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/without_secrets.hpp"
#include "core/scheduling/state/state.hpp"
#include "core/telemetry/metrics/process_metrics.hpp"

namespace gantry::scheduling {

namespace {

// Returns the answer of a method that only reads. null: it fails.
json::value answer_of(State& state, const char* name) {
  const auto* const method = find_method(name);
  if (method == nullptr || method->handle.waits()) return nullptr;
  MethodCall call;
  call.method = name;
  const Reply reply = method->handle(state, std::move(call)).reply;
  return reply ? *reply : json::value(nullptr);
}

json::object process_json(const State& state) {
  utsname system{};
  json::object process{{"resident_bytes", telemetry::resident_memory()},
                       {"open_descriptors", telemetry::open_descriptors()},
                       {"log_level", telemetry::name_of(state.parts.logger->level())}};
  if (uname(&system) == 0)
    process["system"] = std::string(system.sysname) + " " + system.release + " " + system.machine;
  return process;
}

// Returns the newest events with the object of each, without what it was changed to.
json::array events_json(const EventLog& events) {
  constexpr std::uint64_t most = 200;
  json::array result;
  EventFilter filter;
  filter.limit = most;
  const auto newest = events.newest();
  const auto from = std::max(events.before_oldest(), newest > most ? newest - most : 0);
  for (const auto& event : events.read(from, filter).events) {
    result.push_back(json::object{{"at", time_json(event.at)},
                                  {"type", event.type},
                                  {"topic", event.topic},
                                  {"host", event.host},
                                  {"instance", event.instance},
                                  {"request_id", event.request_id}});
  }
  return result;
}

json::value examination_json(const Answer& answer) {
  const Reply reply = answer;
  return reply ? *reply : json::value(json::object{{"error", reply.error().message}});
}

json::object report_json(State& state, const Answer& examination) {
  json::array lines;
  for (auto& line : state.parts.logger->kept_lines()) lines.emplace_back(std::move(line));
  return {{"made_at", time_json(now_nanoseconds())},
          {"status", answer_of(state, "status")},
          {"drivers", answer_of(state, "list_drivers")},
          {"configuration", state.parts.configuration ? state.parts.configuration() : json::array()},
          {"statistics", answer_of(state, "stats")},
          {"doctor", examination_json(examination)},
          {"process", process_json(state)},
          {"events", events_json(state.events)},
          {"log", std::move(lines)}};
}

// Waits for the doctor.
void report(State& state, const MethodCall& /*call*/, const Done& done) {
  state.examine([&state, done](const Answer& examination) {
    auto made = json::value(report_json(state, examination));
    hide_secrets(made);
    done(Answer(std::move(made)));
  });
}

}  // namespace

std::vector<Method> support_methods() {
  return {
      {.name = "report",
       .group = "records",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "The state for who helps from afar, without secrets: status, configuration, statistics, doctor, log.",
       .args = {},
       .result = "Report",
       .handle = report}};
}

}  // namespace gantry::scheduling
