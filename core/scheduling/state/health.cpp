// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/health.hpp"

#include <utility>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// Returns what is to be told of a driver whose own process may do all that the daemon may. nullopt: it is confined.
std::optional<std::string> unconfined(const drivers::Driver& driver) {
  const auto process = driver.runner_status();
  if (!process || process->is_confined) return std::nullopt;
  return "driver '" + driver.manifest().id +
         "': isolation = \"debug\" leaves its process all rights of the daemon: set " +
         "\"process\" where it is not debugged";
}

// The topics that have a warning each.
constexpr std::size_t most_topics = 10;

// Returns the trouble with a driver's own process. nullopt: nothing, or it is just being started again.
std::optional<std::string> process_trouble(const drivers::Driver& driver) {
  using drivers::isolated::RunnerState;
  const auto process = driver.runner_status();
  if (!process || process->state == RunnerState::ready || process->state == RunnerState::starting) return std::nullopt;
  return "driver '" + driver.manifest().id + "': its process " + process->last_ending + " and is started again soon";
}

}  // namespace

std::uint64_t count_true(const fleet::Moment& moment, const gantry_view& view, std::string_view name) {
  const auto* column = moment.column(view, name);
  if (column == nullptr || column->type != GANTRY_TYPE_BOOL) return 0;
  std::uint64_t count = 0;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    count += (static_cast<const std::uint64_t*>(column->values)[row / 64] >> (row % 64)) & 1U;
  }
  return count;
}

void Health::add(Warnings source) {
  const std::lock_guard lock(mutex_);
  sources_.push_back(std::move(source));
}

std::vector<std::string> Health::unready_reasons(const State& state) const {
  std::vector<std::string> reasons;
  if (const auto fault = state.parts.store.fault())
    reasons.push_back("the store cannot keep changes, so that they are refused: " + fault->message);
  if (state.parts.authority != nullptr) {
    for (auto& reason : state.parts.authority->unready_reasons()) reasons.push_back(std::move(reason));
  }
  for (const auto* driver : state.parts.drivers.all()) {
    if (auto trouble = process_trouble(*driver); trouble && state.parts.drivers.stand_in_for(*driver) == nullptr)
      reasons.push_back(*std::move(trouble));
    const auto calls = driver->turns().hanging();
    if (calls.empty()) continue;
    const auto& longest = calls.front();
    reasons.push_back("driver '" + driver->manifest().id + "': " + std::to_string(calls.size()) +
                      (calls.size() == 1 ? " call does" : " calls do") + " not return, the longest for " +
                      std::to_string(longest.age.count() / 1000) + " s: " + longest.operation + ", request " +
                      longest.request_id);
  }
  return reasons;
}

std::vector<std::string> Health::warnings(const State& state) const {
  auto all = lasting_warnings(state);
  if (const auto count = state.parts.fleet.unheard(steady_nanoseconds()); count != 0)
    all.push_back(std::to_string(count) + (count == 1 ? " service that was" : " services that were") +
                  " up before the start, not heard since: believed until service_down_time has passed");
  return all;
}

std::vector<std::string> Health::lasting_warnings(const State& state) const {
  std::vector<std::string> all;
  const auto moment = state.parts.fleet.pin(steady_nanoseconds());
  std::size_t silent = 0;
  for (const auto topic : moment.topics()) {
    const auto& view = *moment.view(topic);
    if (view.rows != 0 && count_true(moment, view, "up") == 0 && ++silent <= most_topics)
      all.push_back("topic '" + std::string(topic) + "': none of its hosts is up");
  }
  if (silent > most_topics)
    all.push_back(std::to_string(silent - most_topics) + " more topics: none of their hosts is up");
  const auto topics = state.parts.fleet.topics().size();
  if (const auto most = state.parts.fleet.limits().topics; topics > most)
    all.push_back("the store has " + std::to_string(topics) + " topics, expected at most " + std::to_string(most) +
                  ": remove the services and hosts of those that nobody needs; further ones are refused");
  for (auto& warning : state.reports.warnings(state.parts.fleet, steady_nanoseconds()))
    all.push_back(std::move(warning));
  for (const auto* driver : state.parts.drivers.all()) {
    if (auto warning = unconfined(*driver)) all.push_back(*std::move(warning));
    const auto* const stand_in = state.parts.drivers.stand_in_for(*driver);
    if (auto trouble = process_trouble(*driver); trouble && stand_in != nullptr)
      all.push_back(*trouble + "; driver '" + stand_in->manifest().id + "' decides meanwhile");
  }
  for (auto& warning : state.fallbacks.warnings()) all.push_back(std::move(warning));
  if (state.parts.authority != nullptr) {
    for (auto& warning : state.parts.authority->warnings()) all.push_back(std::move(warning));
  }
  if (auto trouble = state.decisions.trouble()) all.push_back(*std::move(trouble));
  const std::lock_guard lock(mutex_);
  for (const auto& source : sources_) {
    for (auto& warning : source()) all.push_back(std::move(warning));
  }
  return all;
}

void Health::log_changes(const State& state) {
  const auto now = lasting_warnings(state);
  const std::set<std::string> current(now.begin(), now.end());
  for (const auto& warning : current) {
    if (!logged_.contains(warning)) state.parts.logger->write(telemetry::Level::warning, warning);
  }
  for (const auto& warning : std::exchange(logged_, current)) {
    if (!current.contains(warning)) state.parts.logger->write(telemetry::Level::info, "no more: " + warning);
  }
}

}  // namespace gantry::scheduling
