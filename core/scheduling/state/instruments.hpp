// SPDX-License-Identifier: Apache-2.0
//
// Measures what the service does while it does it: calls by method, decisions by driver. Takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/result.hpp"
#include "core/scheduling/state/decision_note.hpp"
#include "core/telemetry/metrics/histogram.hpp"
#include "core/telemetry/metrics/named_counters.hpp"

namespace gantry::scheduling {

// The names of the values of DecisionOutcome.
inline constexpr std::array<std::string_view, 3> decision_outcomes{"placed", "no_valid_host", "failed"};

// The decisions of one driver.
struct DriverInstruments {
  explicit DriverInstruments(const drivers::Driver& measured) : driver(measured) {}

  const drivers::Driver& driver;
  telemetry::Histogram decisions;  // from the pinned moment of the fleet to the checked result
  std::array<std::atomic<std::uint64_t>, decision_outcomes.size()> outcomes{};
  telemetry::NamedCounters refusals;  // decisions without a host, by the step that left none
  telemetry::NamedCounters rejected;  // hosts that a step was against, by the step
};

// The calls of one method.
struct MethodInstruments {
  // Place 0 counts the calls that succeeded, place 1 + n the errors with code n.
  static constexpr std::size_t places = 2 + static_cast<std::size_t>(ErrorCode::unauthenticated);

  explicit MethodInstruments(std::string_view measured) : name(measured) {}

  const std::string name;
  telemetry::Histogram duration;  // from the call to its answer
  std::array<std::atomic<std::uint64_t>, places> answers{};
};

// [any thread]
class Instruments {
 public:
  explicit Instruments(const std::vector<drivers::Driver*>& drivers);
  // Sets the methods that are measured. Call before the first call.
  void set_methods(const std::vector<std::string_view>& names);

  // Counts a call of the method with that place in the names. Any other place: an unknown method. `error`: nullptr if
  // the call succeeded.
  void note_call(std::size_t method, const Error* error, std::chrono::nanoseconds took) noexcept;
  // Returns the instruments of a driver. nullptr: it was not among the drivers.
  DriverInstruments* of(const drivers::Driver& driver) noexcept;

  std::deque<DriverInstruments>& drivers() { return drivers_; }
  // The methods as they were set, and behind them "unknown".
  std::deque<MethodInstruments>& methods() { return methods_; }

  telemetry::Histogram pin;          // pins the fleet for a decision
  telemetry::Histogram commit_wait;  // from the end of a method to the commit that its answer waits for
  std::atomic<std::int64_t> calls_under_way{0};

 private:
  std::deque<DriverInstruments> drivers_;  // a deque, since what it holds cannot move
  std::deque<MethodInstruments> methods_;
};

}  // namespace gantry::scheduling
