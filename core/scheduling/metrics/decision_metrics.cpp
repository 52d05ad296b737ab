// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/decision_metrics.hpp"

namespace gantry::scheduling {

namespace {

using telemetry::MetricText;
using telemetry::MetricType;

constexpr std::string_view step_help =
    "Parts of a decision. pin: takes the moment of the fleet that the decision sees. turn: waits for a place in the "
    "driver. driver: inside the driver, the claims of its picks included. commit: waits for the store, where the "
    "answer "
    "does.";

void write_driver(const drivers::Driver& driver, MetricText& into) {
  const auto& manifest = driver.manifest();
  into.family("gantry_driver_info", MetricType::gauge, "A driver that is loaded; always 1.")
      .add({{"driver", manifest.id},
            {"version", manifest.version},
            {"abi", std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor)},
            {"sha256", driver.file().sha256}},
           std::uint64_t{1});
  auto& turns = driver.turns();
  into.family("gantry_driver_calls_total", MetricType::counter, "Calls into a driver.")
      .add({{"driver", manifest.id}}, driver.calls());
  into.family("gantry_driver_failures_total", MetricType::counter,
              "Calls into a driver that failed, without what was the caller's fault.")
      .add({{"driver", manifest.id}}, driver.failures());
  into.family("gantry_driver_overruns_total", MetricType::counter,
              "Calls that a driver had not returned by their deadline, so that their callers were answered without it.")
      .add({{"driver", manifest.id}}, turns.times().given_up.load(std::memory_order_relaxed));
  into.family("gantry_driver_hanging_calls", MetricType::gauge,
              "Calls that a driver has not returned for call_timeout.")
      .add({{"driver", manifest.id}}, std::uint64_t{turns.hanging().size()});
  into.family("gantry_driver_calls_inside", MetricType::gauge, "Calls that are in a driver now.")
      .add({{"driver", manifest.id}}, std::uint64_t{turns.calls_inside()});
  into.family("gantry_driver_calls_waiting", MetricType::gauge, "Calls that wait for a place in a driver.")
      .add({{"driver", manifest.id}}, std::uint64_t{turns.calls_waiting()});
  if (const auto process = driver.runner_status()) {
    const bool is_ready = process->state == drivers::isolated::RunnerState::ready;
    into.family("gantry_driver_process_ready", MetricType::gauge,
                "Whether the process of a driver with isolation is there: 1, or 0 while its fallback decides, if any.")
        .add({{"driver", manifest.id}}, std::uint64_t{is_ready ? 1U : 0U});
  }
  into.family("gantry_driver_other_call_seconds", MetricType::histogram,
              "Time inside a driver for all that is no decision: hosts_up, group_hosts, its own methods.")
      .add({{"driver", manifest.id}}, turns.times().others.read());
}

void write_fallback(const State& state, const drivers::Driver& driver, MetricText& into) {
  if (state.parts.drivers.fallback_of(driver) == nullptr) return;
  const std::string& name = driver.manifest().id;
  into.family("gantry_driver_fallback_decisions_total", MetricType::counter,
              "Decisions that a driver's fallback made in its place: the driver's own has failed, or it could not be "
              "asked.")
      .add({{"driver", name}}, state.fallbacks.count(name));
}

void write_outcomes(DriverInstruments& measured, MetricText& into) {
  const std::string& driver = measured.driver.manifest().id;
  auto& decisions = into.family("gantry_decisions_total", MetricType::counter,
                                "Decisions, dry runs included, by how they ended: placed, no_valid_host (also for one "
                                "instance of several), failed (the driver).");
  for (std::size_t i = 0; i < decision_outcomes.size(); ++i)
    decisions.add({{"driver", driver}, {"outcome", decision_outcomes[i]}},
                  measured.outcomes[i].load(std::memory_order_relaxed));
  into.family("gantry_decision_duration_seconds", MetricType::histogram,
              "From the moment of the fleet that a decision sees to its checked result.")
      .add({{"driver", driver}}, measured.decisions.read());
  auto& refusals = into.family("gantry_refusals_total", MetricType::counter,
                               "Decisions without a host, by the step that left none; other: no step did.");
  for (const auto& [step, count] : measured.refusals.read()) refusals.add({{"driver", driver}, {"step", step}}, count);
  auto& rejected = into.family("gantry_rejected_hosts_total", MetricType::counter,
                               "Hosts that a step of a decision was against, all decisions together.");
  for (const auto& [step, count] : measured.rejected.read()) rejected.add({{"driver", driver}, {"step", step}}, count);
}

void write_steps(State& state, MetricText& into) {
  auto& steps = into.family("gantry_step_duration_seconds", MetricType::histogram, step_help);
  steps.add({{"step", "pin"}}, state.instruments->pin.read());
  steps.add({{"step", "commit"}}, state.instruments->commit_wait.read());
  for (auto& measured : state.instruments->drivers()) {
    const auto& times = measured.driver.turns().times();
    const std::string& driver = measured.driver.manifest().id;
    steps.add({{"step", "turn"}, {"driver", driver}}, times.turn.read());
    steps.add({{"step", "driver"}, {"driver", driver}}, times.decisions.read());
  }
}

}  // namespace

void write_decisions(State& state, MetricText& into) {
  for (const auto* driver : state.parts.drivers.all()) write_driver(*driver, into);
  for (const auto* driver : state.parts.drivers.all()) write_fallback(state, *driver, into);
  for (auto& measured : state.instruments->drivers()) write_outcomes(measured, into);
  write_steps(state, into);
  auto& skipped =
      into.family("gantry_drivers_skipped", MetricType::gauge, "Drivers with required = false that did not load.");
  skipped.add({}, std::uint64_t{state.parts.drivers.skipped().size()});
}

}  // namespace gantry::scheduling
