// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/statistics.hpp"

#include <algorithm>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

template <std::size_t Size>
std::array<std::uint64_t, Size> loaded_counts(const std::array<std::atomic<std::uint64_t>, Size>& counts) {
  std::array<std::uint64_t, Size> values{};
  for (std::size_t i = 0; i < Size; ++i) values[i] = counts[i].load(std::memory_order_relaxed);
  return values;
}

template <std::size_t Size>
void take_off(std::array<std::uint64_t, Size>& values, const std::array<std::uint64_t, Size>& before) {
  for (std::size_t i = 0; i < Size; ++i) values[i] -= std::min(values[i], before[i]);
}

void take_off(NamedCounts& counts, const NamedCounts& before) {
  for (const auto& [name, value] : before) {
    const auto found = std::ranges::find(counts, name, &NamedCounts::value_type::first);
    if (found != counts.end()) found->second -= std::min(found->second, value);
  }
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
}

DriverStatistics read_driver(DriverInstruments& measured) {
  const auto& driver = measured.driver;
  const auto& times = driver.turns().times();
  DriverStatistics read;
  read.id = driver.manifest().id;
  read.outcomes = loaded_counts(measured.outcomes);
  read.decisions = measured.decisions.read();
  read.turn = times.turn.read();
  read.inside = times.decisions.read();
  read.others = times.others.read();
  read.calls = driver.calls();
  read.failures = driver.failures();
  read.overruns = times.given_up.load(std::memory_order_relaxed);
  read.refusals = measured.refusals.read();
  read.rejected = measured.rejected.read();
  return read;
}

void take_off(DriverStatistics& driver, const DriverStatistics& before) {
  take_off(driver.outcomes, before.outcomes);
  driver.decisions = driver.decisions.since(before.decisions);
  driver.turn = driver.turn.since(before.turn);
  driver.inside = driver.inside.since(before.inside);
  driver.others = driver.others.since(before.others);
  driver.calls -= std::min(driver.calls, before.calls);
  driver.failures -= std::min(driver.failures, before.failures);
  driver.overruns -= std::min(driver.overruns, before.overruns);
  take_off(driver.refusals, before.refusals);
  take_off(driver.rejected, before.rejected);
}

}  // namespace

Statistics read_statistics(const State& state) {
  Statistics read_now;
  auto& instruments = *state.instruments;
  read_now.since = state.started_at;
  for (auto& driver : instruments.drivers()) read_now.drivers.push_back(read_driver(driver));
  for (auto& method : instruments.methods())
    read_now.methods.push_back({method.name, method.duration.read(), loaded_counts(method.answers)});
  read_now.pin = instruments.pin.read();
  read_now.commit_wait = instruments.commit_wait.read();
  if (const auto* times = state.parts.store.times()) {
    read_now.store_queue = times->queue.read();
    read_now.store_commit = times->commit.read();
  }
  for (const auto& entry : state.parts.counters->list()) read_now.counters[{entry.name, entry.label}] = entry.value;
  return read_now;
}

Statistics difference(Statistics now, const Statistics& before) {
  if (before.since == 0) return now;
  now.since = before.since;
  // Both were made from the same drivers and methods, in one order.
  for (std::size_t i = 0; i < std::min(now.drivers.size(), before.drivers.size()); ++i)
    take_off(now.drivers[i], before.drivers[i]);
  for (std::size_t i = 0; i < std::min(now.methods.size(), before.methods.size()); ++i) {
    now.methods[i].duration = now.methods[i].duration.since(before.methods[i].duration);
    take_off(now.methods[i].answers, before.methods[i].answers);
  }
  now.pin = now.pin.since(before.pin);
  now.commit_wait = now.commit_wait.since(before.commit_wait);
  now.store_queue = now.store_queue.since(before.store_queue);
  now.store_commit = now.store_commit.since(before.store_commit);
  for (const auto& [key, value] : before.counters) {
    auto& left = now.counters[key];
    left -= std::min(left, value);
  }
  return now;
}

Statistics StatisticsBaseline::read(const State& state) const {
  const std::lock_guard lock(mutex_);
  return difference(read_statistics(state), before_);
}

void StatisticsBaseline::begin_anew(State& state) {
  const std::lock_guard lock(mutex_);
  auto& instruments = *state.instruments;
  for (auto& measured : instruments.drivers()) {
    measured.decisions.forget_extremes();
    auto& times = measured.driver.turns().times();
    for (auto* each : {&times.turn, &times.decisions, &times.others}) each->forget_extremes();
  }
  for (auto& method : instruments.methods()) method.duration.forget_extremes();
  for (auto* each : {&instruments.pin, &instruments.commit_wait}) each->forget_extremes();
  if (auto* times = state.parts.store.times()) {
    times->queue.forget_extremes();
    times->commit.forget_extremes();
  }
  before_ = read_statistics(state);
  before_.since = now_nanoseconds();
}

}  // namespace gantry::scheduling
