// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/counter_metrics.hpp"

#include <algorithm>
#include <array>

namespace gantry::telemetry {

namespace {

// How a counter is told. Without a metric it is told elsewhere.
struct Known {
  std::string_view counter;
  std::string_view metric;
  std::string_view label;  // the name of the counter's label; empty: it has none
  std::string_view help;
};

constexpr std::array known_counters{
    Known{"asks", "gantry_asks_total", "service", "Questions of drivers to a policy service."},
    Known{"asks_failed", "gantry_asks_failed_total", "service",
          "Questions of drivers that a policy service did not answer in time, with success and in JSON."},
    Known{"calls", {}, {}, {}},
    Known{"decisions", {}, {}, {}},
    Known{"decision_records", "gantry_decision_records_total", "outcome",
          "Records of decisions: kept in their file, or lost."},
    Known{"driver_process_ends", "gantry_driver_process_ends_total", "driver",
          "Ends of the process of a driver with isolation."},
    Known{"errors", "gantry_errors_total", "code", "Calls that were answered with an error, by its code."},
    Known{"claims_lost", "gantry_claims_lost_total", "driver",
          "Picks that did not hold, since another decision had taken the room."},
    Known{"misuses", "gantry_driver_misuses_total", "driver", "Calls in which a driver broke a rule of the ABI."},
    Known{"reloads", "gantry_reloads_total", "outcome",
          "Reloads of the configuration: applied, unchanged, refused, or failed because a driver hung."},
    Known{"schedule", "gantry_schedule_calls_total", "topic", "Calls of drivers' own methods."},
    Known{"store_transactions", "gantry_store_commits_total", {}, "Transactions of the store."},
    Known{"store_batches",
          "gantry_store_batches_total",
          {},
          "Changes that the store has answered, failed ones included."},
    Known{"store_failed_batches", "gantry_store_failed_batches_total", {}, "Changes that the store could not keep."},
    Known{"nova_broker_blocked", "gantry_nova_broker_blocked_total", "purpose",
          "Times that the broker has blocked a connection."},
    Known{"nova_broker_connections", "gantry_nova_broker_connections_total", "purpose",
          "Connections to the broker that were made."},
    Known{"nova_calls", "gantry_nova_calls_total", "method", "Calls that came from the broker."},
    Known{"nova_casts", "gantry_nova_casts_total", "method", "Casts that came from the broker."},
    Known{"nova_mirror", "gantry_nova_mirror_total", "outcome",
          "Questions for candidates: answered from placement's database, or asked of placement."},
    Known{"nova_mirror_audits", "gantry_nova_mirror_audits_total", "outcome",
          "Comparisons of the mirror of placement's database with placement itself."},
    Known{"nova_rebuild_hints", "gantry_nova_rebuild_hints_total", "outcome",
          "Requests with the hint of a rebuild: honoured, passed_over (not from a rebuild of Nova), or refused."},
    Known{"nova_refreshes", "gantry_nova_refreshes_total", "database", "Readings of a database that were done."},
    Known{"nova_refreshes_failed", "gantry_nova_refreshes_failed_total", "database",
          "Readings of a database that failed."},
    Known{"nova_shadow", "gantry_nova_shadow_total", "outcome",
          "Decisions beside nova-scheduler: agreed, or how they differed."},
};

constexpr std::string_view request_time = "nova_request_microseconds";

void write_request_time(const Counters::Entry& entry, MetricText& into) {
  constexpr double microseconds_of_second = 1e6;
  into.family("gantry_nova_request_seconds_total", MetricType::counter,
              "Time that requests from Nova's broker took in all, by part. whole: from the message to the reply.")
      .add({{"part", entry.label}}, static_cast<double>(entry.value) / microseconds_of_second);
}

// A counter that has no description here: "nova_duplicates" becomes gantry_nova_duplicates_total.
void write_unknown(const Counters::Entry& entry, MetricText& into) {
  auto& family = into.family("gantry_" + metric_name(entry.name) + "_total", MetricType::counter,
                             "The counter " + entry.name + " of gantry status.");
  if (entry.label.empty())
    family.add({}, entry.value);
  else
    family.add({{"label", entry.label}}, entry.value);
}

void write_counter(const Counters::Entry& entry, MetricText& into) {
  constexpr std::string_view drivers_own = "driver.";
  if (entry.name.starts_with(drivers_own)) {
    into.family("gantry_driver_counter_total", MetricType::counter, "What drivers count themselves.")
        .add({{"driver", entry.label}, {"name", std::string_view(entry.name).substr(drivers_own.size())}}, entry.value);
    return;
  }
  if (entry.name == request_time) return write_request_time(entry, into);
  const auto* const known = std::ranges::find(known_counters, entry.name, &Known::counter);
  if (known == known_counters.end()) return write_unknown(entry, into);
  if (known->metric.empty()) return;
  auto& family = into.family(known->metric, MetricType::counter, known->help);
  if (known->label.empty())
    family.add({}, entry.value);
  else
    family.add({{known->label, entry.label}}, entry.value);
}

}  // namespace

void write_counters(const Counters& counters, const std::vector<std::pair<std::string, std::string>>& always,
                    MetricText& into) {
  auto entries = counters.list();
  for (const auto& wanted : always) {
    const auto is_told = [&wanted](const auto& entry) {
      return entry.name == wanted.first && entry.label == wanted.second;
    };
    if (std::ranges::none_of(entries, is_told)) entries.push_back({wanted.first, wanted.second, 0});
  }
  for (const auto& entry : entries) write_counter(entry, into);
}

}  // namespace gantry::telemetry
