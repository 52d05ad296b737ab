// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/call_metrics.hpp"

namespace gantry::scheduling {

void write_calls(State& state, telemetry::MetricText& into) {
  using telemetry::MetricType;
  auto& calls = into.family("gantry_requests_total", MetricType::counter,
                            "Calls of the service's methods by their answer: ok, or the code of the error.");
  auto& durations = into.family("gantry_request_duration_seconds", MetricType::histogram,
                                "From a call of a method to its answer. What waits for an event waits in here, too.");
  for (auto& method : state.instruments->methods()) {
    const auto reading = method.duration.read();
    if (reading.count() == 0) continue;
    durations.add({{"method", method.name}}, reading);
    for (std::size_t place = 0; place < method.answers.size(); ++place) {
      const auto count = method.answers[place].load(std::memory_order_relaxed);
      if (count == 0 && place != 0) continue;
      const auto code = place == 0 ? std::string_view("ok") : name_of(static_cast<ErrorCode>(place - 1));
      calls.add({{"method", method.name}, {"code", code}}, count);
    }
  }
  into.family("gantry_requests_under_way", MetricType::gauge, "Calls that are not answered yet, long polls included.")
      .add({}, state.instruments->calls_under_way.load(std::memory_order_relaxed));
}

}  // namespace gantry::scheduling
