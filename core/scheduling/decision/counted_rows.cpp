// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/counted_rows.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/decision/pick_sink.hpp"

namespace gantry::scheduling {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// The instances that a driver is asked to place at once, at first and at most.
constexpr std::uint32_t first_asked = 64;
constexpr std::uint32_t most_asked = 1'000'000;
constexpr std::uint32_t growth = 4;

constexpr std::uint64_t memory_of_a_counted_instance = std::uint64_t{64} << 10;

Error no_room_for_request() {
  return {ErrorCode::resource_exhausted, "no memory to lay the request out", {}};
}

// Asks the driver to count. The error unsupported: the driver cannot.
Result<CountedRows> ask_driver(const PinnedMoment& pinned, drivers::Driver& driver, const RequestSpec& spec) {
  drivers::Sink no_results;
  drivers::DriverCall call(pinned.settings(&no_results));
  const auto* request = build_driver_request(call, driver, spec, nullptr, 0, GANTRY_EXPLAIN_NONE);
  if (request == nullptr) return no_room_for_request();
  CountedRows counted;
  counted.counts.resize(pinned.view->rows);
  auto answered = driver.count_capacity(call, *request, counted.counts.data());
  if (!answered) return std::move(answered).error();
  return counted;
}

// Places `spec.num_instances` instances. Returns how many found a host, and adds each to the count of its row.
// nullopt: the deadline has passed, and as many as were placed until then count.
Result<std::optional<std::uint32_t>> place_many(const PinnedMoment& pinned, State& state, drivers::Driver& driver,
                                                const RequestSpec& spec, TimePoint deadline, CountedRows& counted) {
  PickSink sink(state.parts.fleet, pinned.moment, *pinned.view, spec, ClaimMode::nothing, pinned.now);
  auto settings = pinned.settings(&sink);
  settings.deadline = deadline;
  settings.memory_limit += std::uint64_t{spec.num_instances} * memory_of_a_counted_instance;
  drivers::DriverCall call(std::move(settings));
  const auto* request = build_driver_request(call, driver, spec, nullptr, 0, GANTRY_EXPLAIN_NONE);
  if (request == nullptr) return no_room_for_request();
  const auto answered = driver.schedule_run_instance(call, *request);
  counted.counts.assign(pinned.view->rows, 0);
  for (const auto& placement : sink.placements()) {
    if (placement.pick) ++counted.counts[placement.pick->row];
  }
  if (!answered && answered.error().code == ErrorCode::deadline_exceeded) return std::optional<std::uint32_t>();
  if (!answered && answered.error().code != ErrorCode::no_valid_host) return answered.error();
  return std::optional(sink.placed());
}

void stop_early(CountedRows& counted, const std::string& why_deciding) {
  counted.is_exact = false;
  counted.reason = "counted by deciding, which the time for it ended: at least so many fit (" + why_deciding + ")";
}

Result<CountedRows> count_by_deciding(const PinnedMoment& pinned, State& state, drivers::Driver& driver,
                                      RequestSpec& spec, TimePoint deadline, const std::string& why) {
  CountedRows counted;
  for (std::uint32_t asked = first_asked;; asked = std::min(asked * growth, most_asked)) {
    spec.num_instances = asked;
    spec.plain["num_instances"] = asked;
    const auto began = std::chrono::steady_clock::now();
    CountedRows now;
    auto placed = place_many(pinned, state, driver, spec, deadline, now);
    if (!placed) return std::move(placed).error();
    const auto sum = [](const CountedRows& rows) {
      std::uint64_t total = 0;
      for (const auto count : rows.counts) total += count;
      return total;
    };
    if (sum(now) >= sum(counted)) counted = std::move(now);
    if (*placed && **placed < asked) return counted;
    // A driver that does not watch its deadline must not miss it.
    const auto ended = std::chrono::steady_clock::now();
    const auto is_too_long = ended + growth * (ended - began) > deadline;
    if (*placed && asked < most_asked && !is_too_long) continue;
    stop_early(counted, why);
    return counted;
  }
}

}  // namespace

Result<CountedRows> count_rows(const PinnedMoment& pinned, State& state, drivers::Driver& driver, RequestSpec& spec,
                               std::chrono::steady_clock::time_point deadline) {
  auto counted = ask_driver(pinned, driver, spec);
  if (counted || counted.error().code != ErrorCode::unsupported) return counted;
  auto decided = count_by_deciding(pinned, state, driver, spec, deadline, counted.error().message);
  const auto why = drivers::why_unrepeatable(driver.manifest());
  if (!decided || !why) return decided;
  decided->is_exact = false;
  decided->reason += (decided->reason.empty() ? "counted by deciding; " : "; ") + *why;
  return decided;
}

}  // namespace gantry::scheduling
