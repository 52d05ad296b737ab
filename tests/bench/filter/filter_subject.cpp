// SPDX-License-Identifier: Apache-2.0
#include "filter_subject.hpp"

#include <chrono>
#include <nova_classes.hpp>

#include "core/drivers/driver_loader.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "filter_taker.hpp"
#include "tests/bench/service/service_child.hpp"

namespace gantry::bench {

namespace {

using Names = std::vector<std::string>;

Names joined(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Names weighed{"free_ram_mb",         "vcpus",
                    "vcpus_used",          "cpu_allocation_ratio",
                    "free_disk_gb",        "pci_stats",
                    "stats.io_workload",   "claims.instances",
                    "stats.failed_builds", "disk_available_least"};
const Names zed_filters{"ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter",
                        "ServerGroupAntiAffinityFilter", "ServerGroupAffinityFilter"};

}  // namespace

std::vector<std::string> zed_weighers() {
  Names names;
  for (const auto& weigher : nova_classes::weighers) {
    if (weigher.is_in("zed")) names.emplace_back(weigher.name);
  }
  return names;
}

FilterPolicy zed_defaults() {
  return {
      "Zed's defaults", zed_filters, {"up", "disabled", "supported_instances", "hypervisor_version"}, weighed, false};
}

FilterPolicy gantry_defaults() {
  return {"Gantry's defaults",
          joined(zed_filters, {"AvailabilityZoneFilter", "CoreFilter", "RamFilter", "DiskFilter"}),
          {"up", "disabled", "supported_instances", "hypervisor_version", "memory_mb", "ram_allocation_ratio",
           "local_gb", "disk_allocation_ratio"},
          weighed,
          false};
}

FilterPolicy all_of_zed() {
  Names filters;
  for (const auto& filter : nova_classes::filters) {
    if (filter.is_in("zed")) filters.emplace_back(filter.name);
  }
  return {"all of Zed's",
          filters,
          {"up", "disabled", "supported_instances", "hypervisor_version", "aggregates", "stats.num_instances"},
          weighed,
          false};
}

FilterPolicy keeping(FilterPolicy policy) {
  policy.keeps_classes = true;
  return policy;
}

FilterSubject::FilterSubject(const std::string& directory, const std::vector<FilterPolicy>& policies,
                             const FilterFleetSettings& settings)
    : context_({}, "req-bench") {
  const auto declare = [this](const drivers::Manifest& manifest) -> Result<void> {
    for (const auto& column : manifest.uses) {
      if (column.type == 0) continue;
      if (auto done = fleet_.declare_column({column.name, column.type, manifest.id}); !done) return done;
    }
    return {};
  };
  for (const auto& policy : policies) {
    config::Settings loaded;
    loaded.scheduler_driver = {"filter"};
    loaded.driver_directories = {directory};
    loaded.seal_drivers = false;  // so that a profiler finds the file
    if (policy.is_isolated) loaded.drivers["filter"].isolation = config::Isolation::process;
    auto& options = loaded.drivers["filter"].options;
    options["compatibility"] = {std::string("zed"), "bench_filter"};
    options["enabled_filters"] = {policy.filters, "bench_filter"};
    options["weight_classes"] = {zed_weighers(), "bench_filter"};
    options["request_cache_mib"] = {std::int64_t{policy.keeps_classes ? 1024 : 0}, "bench_filter"};
    auto set =
        drivers::load_drivers(loaded, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), declare);
    if (!set) give_up(set.error().message);
    drivers_.push_back(*std::move(set));
  }
  load_filter_fleet(fleet_, settings);
  pin();
}

FilterSubject::~FilterSubject() = default;

void FilterSubject::pin() {
  moment_ = fleet_.pin(fleet_time);
}

void FilterSubject::ask(const std::string& spec) {
  auto parsed = json::parse(spec);
  if (!parsed) give_up(parsed.error().message);
  auto read = scheduling::parse_request_spec(*std::move(parsed), {}, {});
  if (!read) give_up(read.error().message);
  spec_.emplace(*std::move(read));
}

std::vector<std::uint32_t> FilterSubject::order() {
  run(rows());
  return chosen_;
}

drivers::DriverCallSettings FilterSubject::call_settings(drivers::Sink& sink) const {
  drivers::DriverCallSettings settings;
  settings.moment = moment_;
  settings.context = &context_.view();
  settings.view = moment_.view("compute");
  settings.sink = &sink;
  settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  settings.now = fleet_time;
  settings.seed = 1;
  return settings;
}

FilterSubject::Counted FilterSubject::count() {
  using clock = std::chrono::steady_clock;
  drivers::Sink no_results;
  drivers::DriverCall call(call_settings(no_results));
  auto& driver = *drivers_[used_].for_topic("compute");
  const auto* request = scheduling::build_driver_request(call, driver, *spec_, nullptr, 0, 0);
  std::vector<std::uint64_t> counts(rows());
  const auto begin = clock::now();
  const auto done = driver.count_capacity(call, *request, counts.data());
  Counted counted{std::chrono::duration<double>(clock::now() - begin).count(), 0};
  if (!done) give_up(done.error().message);
  for (const auto count : counts) counted.instances += count == UINT64_MAX ? 0 : count;
  return counted;
}

double FilterSubject::run(std::uint32_t alternates) {
  using clock = std::chrono::steady_clock;
  chosen_.clear();
  Taker taker(chosen_);
  drivers::DriverCall call(call_settings(taker));
  auto& driver = *drivers_[used_].for_topic("compute");
  const auto* group = spec_->group ? &*spec_->group : nullptr;
  const auto* request = scheduling::build_driver_request(call, driver, *spec_, group, alternates, 0);
  const auto begin = clock::now();
  const auto decided = driver.select_destinations(call, *request);
  const auto end = clock::now();
  if (!decided) give_up(decided.error().message);
  return std::chrono::duration<double>(end - begin).count();
}

const gantry_column& FilterSubject::column(const std::string& name) const {
  const auto* found = moment_.column(*moment_.view("compute"), name);
  if (found == nullptr) give_up("the view has no column " + name);
  return *found;
}

}  // namespace gantry::bench
