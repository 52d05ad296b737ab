// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/fleet_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/scheduling/metrics/host_counts.hpp"
#include "core/scheduling/metrics/view_cells.hpp"

namespace gantry::scheduling {

namespace {

using telemetry::MetricText;
using telemetry::MetricType;

// Names from outside may be anything: so many are told one by one, and the others together.
constexpr std::size_t most_topics = 50;
constexpr std::size_t most_instance_states = 20;
constexpr std::string_view all_others = "other";

void write_hosts(const fleet::Moment& moment, MetricText& into) {
  auto& hosts = into.family("gantry_hosts", MetricType::gauge,
                            "Hosts of a topic by state; a host counts once for each of its nodes.");
  HostCounts others;
  std::size_t told = 0;
  const auto add = [&hosts](std::string_view topic, const HostCounts& counts) {
    hosts.add({{"topic", topic}, {"state", "up"}}, counts.up);
    hosts.add({{"topic", topic}, {"state", "down"}}, counts.down);
    hosts.add({{"topic", topic}, {"state", "disabled"}}, counts.disabled);
    hosts.add({{"topic", topic}, {"state", "forced_down"}}, counts.forced_down);
  };
  for (const auto topic : moment.topics()) {
    const auto counts = count_hosts(moment, *moment.view(topic));
    if (++told <= most_topics) {
      add(topic, counts);
      continue;
    }
    others.up += counts.up;
    others.down += counts.down;
    others.disabled += counts.disabled;
    others.forced_down += counts.forced_down;
  }
  if (told > most_topics) add(all_others, others);
}

struct Resource {
  std::string_view total, ratio, used;  // columns; used counts claims, too
  std::string_view free_metric, total_metric, help;
  double unit;  // the metric's unit, in the unit of the column
};

constexpr double mebibyte = 1048576.0;
constexpr double gibibyte = 1073741824.0;
constexpr std::array resources{
    Resource{"vcpus", "cpu_allocation_ratio", "vcpus_used", "gantry_free_vcpus", "gantry_total_vcpus",
             "vCPUs of the hosts of topic compute that are up and enabled", 1},
    Resource{"memory_mb", "ram_allocation_ratio", "memory_mb_used", "gantry_free_memory_bytes",
             "gantry_total_memory_bytes", "Memory of the hosts of topic compute that are up and enabled", mebibyte},
    Resource{"local_gb", "disk_allocation_ratio", "local_gb_used", "gantry_free_disk_bytes", "gantry_total_disk_bytes",
             "Local disk of the hosts of topic compute that are up and enabled", gibibyte},
};

void write_room(const fleet::Moment& moment, const gantry_view& view, const Resource& resource, MetricText& into) {
  const ViewCells up(moment, view, "up");
  const ViewCells disabled(moment, view, "disabled");
  const ViewCells total(moment, view, resource.total);
  const ViewCells ratio(moment, view, resource.ratio);
  const ViewCells used(moment, view, resource.used);
  double all = 0;
  double free = 0;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    if (!up.truth(row) || disabled.truth(row)) continue;
    const double capacity = total.number(row) * ratio.number(row);
    if (std::isnan(capacity)) continue;
    all += capacity;
    // A host beyond its limit takes nothing from the room of others.
    free += std::max(0.0, capacity - used.number_or_zero(row));
  }
  const std::string help(resource.help);
  into.family(resource.total_metric, MetricType::gauge, help + ", times their allocation ratio.")
      .add({{"topic", "compute"}}, all * resource.unit);
  into.family(resource.free_metric, MetricType::gauge,
              help + ", times their allocation ratio, less what is used and claimed.")
      .add({{"topic", "compute"}}, free * resource.unit);
}

void write_instances(const fleet::Fleet& fleet, MetricText& into) {
  auto& instances = into.family("gantry_instances", MetricType::gauge, "Instances by vm_state.");
  std::uint64_t others = 0;
  std::size_t told = 0;
  for (const auto& [vm_state, count] : fleet.instance_counts()) {
    if (++told <= most_instance_states)
      instances.add({{"state", vm_state}}, std::uint64_t{count});
    else
      others += count;
  }
  if (others != 0) instances.add({{"state", all_others}}, others);
}

void write_casts(const State& state, MetricText& into) {
  into.family("gantry_casts_waiting", MetricType::gauge, "Casts that no host has acknowledged yet.")
      .add({}, std::uint64_t{state.casts.size()});
  constexpr double nanoseconds_of_second = 1e9;
  const auto oldest = state.casts.oldest();
  const double age = oldest == 0 ? 0 : static_cast<double>(now_nanoseconds() - oldest) / nanoseconds_of_second;
  into.family("gantry_oldest_cast_age_seconds", MetricType::gauge, "Age of the oldest waiting cast; 0: none waits.")
      .add({}, std::max(age, 0.0));
}

}  // namespace

void write_fleet(const State& state, MetricText& into) {
  const auto& fleet = state.parts.fleet;
  const auto moment = state.parts.fleet.pin(steady_nanoseconds());
  write_hosts(moment, into);
  if (const auto* compute = moment.view("compute")) {
    for (const auto& resource : resources) write_room(moment, *compute, resource, into);
  }
  write_instances(fleet, into);
  into.family("gantry_claims", MetricType::gauge, "What picks and drivers hold until a host reports it.")
      .add({}, std::uint64_t{fleet.claim_count()});
  write_casts(state, into);
}

}  // namespace gantry::scheduling
