// SPDX-License-Identifier: Apache-2.0
//
// The work of the service since its start, or since an operator reset the counts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduling/state/instruments.hpp"

namespace gantry::scheduling {

struct State;

using NamedCounts = std::vector<std::pair<std::string, std::uint64_t>>;  // sorted by name

struct DriverStatistics {
  std::string id;
  std::array<std::uint64_t, decision_outcomes.size()> outcomes{};
  telemetry::Histogram::Reading decisions, turn, inside, others;
  std::uint64_t calls = 0, failures = 0, overruns = 0;
  NamedCounts refusals, rejected;
};

struct MethodStatistics {
  std::string name;
  telemetry::Histogram::Reading duration;
  std::array<std::uint64_t, MethodInstruments::places> answers{};
};

struct Statistics {
  std::int64_t since = 0;  // nanoseconds since 1970
  std::vector<DriverStatistics> drivers;
  std::vector<MethodStatistics> methods;
  telemetry::Histogram::Reading pin, commit_wait, store_queue, store_commit;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counters;  // by name and label
};

// Returns all that was counted since the start.
Statistics read_statistics(const State& state);
// Returns `now` without what `before` has, which was read earlier. Its time is that of `before`.
Statistics difference(Statistics now, const Statistics& before);

// Where counting began. [any thread]
class StatisticsBaseline {
 public:
  // Returns what was counted since the last call of begin_anew, or since the start.
  Statistics read(const State& state) const;
  // Counts from now on. The last and the longest times are forgotten.
  void begin_anew(State& state);

 private:
  mutable std::mutex mutex_;
  Statistics before_;
};

}  // namespace gantry::scheduling
