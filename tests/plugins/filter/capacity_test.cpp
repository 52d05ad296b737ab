// SPDX-License-Identifier: Apache-2.0
//
// How many more instances fit: on random fleets of unlike hosts a driver counts, and then single instances are really
// placed and claimed, one after the other, until no host is left. Each host must have got as many as were counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/encoding/uuid.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/decision/pick_sink.hpp"
#include "gantry/ext/capacity.h"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry {
namespace {

constexpr fleet::Nanoseconds start = 1'800'000'000'000'000'000;

struct Policy {
  std::string name;
  std::vector<std::string> filters;  // empty: the driver's default
  std::string compatibility = "zed";
  std::string driver = "filter";
};

std::ostream& operator<<(std::ostream& out, const Policy& policy) {
  return out << policy.name;
}

const std::vector<std::string> others{"AggregateImagePropertiesIsolation",
                                      "AggregateInstanceExtraSpecsFilter",
                                      "AggregateIoOpsFilter",
                                      "AggregateMultiTenancyIsolation",
                                      "AggregateNumInstancesFilter",
                                      "AggregateTypeAffinityFilter",
                                      "AllHostsFilter",
                                      "AvailabilityZoneFilter",
                                      "ComputeCapabilitiesFilter",
                                      "ComputeFilter",
                                      "DifferentHostFilter",
                                      "ImagePropertiesFilter",
                                      "IoOpsFilter",
                                      "IsolatedHostsFilter",
                                      "JsonFilter",
                                      "MetricsFilter",
                                      "NUMATopologyFilter",
                                      "NumInstancesFilter",
                                      "PciPassthroughFilter",
                                      "RetryFilter",
                                      "SameHostFilter",
                                      "ServerGroupAffinityFilter",
                                      "ServerGroupAntiAffinityFilter",
                                      "SimpleCIDRAffinityFilter",
                                      "TypeAffinityFilter"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.end(), others.begin(), others.end());
  return more;
}

const std::vector<Policy> policies{
    {"defaults", {}},
    {"all", with({"CoreFilter", "RamFilter", "DiskFilter"})},
    {"all_of_aggregates", with({"AggregateCoreFilter", "AggregateRamFilter", "AggregateDiskFilter"})},
    {"all_twice", with({"AggregateCoreFilter", "CoreFilter", "AggregateRamFilter", "RamFilter", "DiskFilter"})},
    {"ocata", with({"CoreFilter", "RamFilter", "DiskFilter"}), "ocata"},
    {"ocata_of_aggregates", with({"AggregateCoreFilter", "AggregateRamFilter", "AggregateDiskFilter"}), "ocata"},
    {"icehouse", {"ComputeFilter", "RamFilter", "CoreFilter", "RetryFilter", "AvailabilityZoneFilter"}, "icehouse"},
    {"counts", {"ComputeFilter", "IoOpsFilter", "AggregateNumInstancesFilter"}},
    {"exact_vcpus", {"ComputeFilter", "ExactCoreFilter", "NumInstancesFilter"}, "ocata"},
    {"exact_memory", {"ComputeFilter", "ExactRamFilter", "NumInstancesFilter"}, "ocata"},
    {"documents", {"ComputeFilter", "NUMATopologyFilter", "PciPassthroughFilter", "NumInstancesFilter"}},
    {"documents_of_ocata", {"ComputeFilter", "NUMATopologyFilter", "PciPassthroughFilter", "RamFilter"}, "ocata"},
    {"pools_alone", {"ComputeFilter", "PciPassthroughFilter", "CoreFilter", "NumInstancesFilter"}},
    {"simple", {}, "", "simple"},
};

drivers::DriverSet load(const std::string& directory, fleet::Fleet& fleet, const Policy& policy) {
  config::Settings settings;
  settings.scheduler_driver = {policy.driver};
  settings.driver_directories = {directory};
  if (policy.driver == "filter") {
    auto& options = settings.drivers["filter"].options;
    if (!policy.filters.empty()) options["enabled_filters"] = {policy.filters, "test"};
    options["compatibility"] = {policy.compatibility, "test"};
    options["max_io_ops_per_host"] = {std::int64_t{7}, "test"};
    options["max_instances_per_host"] = {std::int64_t{12}, "test"};
  }
  auto set = drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
                                   [&fleet](const drivers::Manifest& manifest) -> Result<void> {
                                     for (const auto& column : manifest.uses) {
                                       if (column.type == 0) continue;
                                       auto done = fleet.declare_column({column.name, column.type, manifest.id});
                                       if (!done) return done;
                                     }
                                     return {};
                                   });
  if (!set) throw std::runtime_error(set.error().message);
  return *std::move(set);
}

json::object set_of(std::int64_t first, std::int64_t count) {
  json::array members;
  for (auto member = first; member < first + count; ++member) members.push_back(member);
  return {{"_set", std::move(members)}};
}

class RandomFleet {
 public:
  RandomFleet(const Policy& policy, std::uint64_t seed) : random_(seed), policy_(policy) {
    directory_.add(std::string(GANTRY_DRIVERS "/") + policy.driver + ".so", policy.driver + ".so");
    drivers_.emplace(load(directory_.path().string(), fleet_, policy));
    const auto hosts = 1 + below(40);
    for (std::uint64_t host = 0; host < hosts; ++host) add_host("host-" + std::to_string(host));
    for (std::int64_t id = 1; id <= 4; ++id) add_aggregate(id);
  }

  // Counts, places one after the other, and compares. Returns how many were placed.
  std::size_t compare() {
    const auto spec = any_spec();
    SCOPED_TRACE(spec);
    // Some hosts hold claims already.
    for (auto before = below(6); before > 0; --before) place(any_spec());
    const auto counted = count(spec);
    if (!counted) {
      ADD_FAILURE() << counted.error().message;
      return 0;
    }
    EXPECT_EQ(*count(spec), *counted) << "asked again";
    std::vector<std::uint64_t> got(counted->size());
    std::size_t placed = 0;
    for (auto row = place(spec); row && placed < most_placed; row = place(spec)) {
      ++got[*row];
      ++placed;
    }
    EXPECT_LT(placed, most_placed) << "a test of bounded hosts";
    EXPECT_EQ(got, *counted);
    EXPECT_EQ(*count(spec), std::vector<std::uint64_t>(got.size())) << "after the last";
    return placed;
  }

 private:
  static constexpr std::size_t most_placed = 20'000;

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  void add_host(const std::string& name) {
    hosts_.push_back(name);
    fleet::Service service;
    service.topic = "compute";
    service.host = name;
    service.disabled = once_in(12);
    service.forced_down = once_in(12);
    service.last_seen_up = once_in(12) ? now_ - 3'600'000'000'000 : now_;
    fleet_.put_service(service);
    if (once_in(20)) return;
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = node.node = name;
    node.sampled_at = node.updated_at = now_;
    const auto vcpus = 4 + static_cast<std::int64_t>(below(28));
    const auto memory = 1024 * (2 + static_cast<std::int64_t>(below(30)));
    const auto disk = 20 + static_cast<std::int64_t>(below(300));
    node.stats = {{"vcpus", vcpus},
                  {"memory_mb", memory},
                  {"local_gb", disk},
                  {"hypervisor_type", "QEMU"},
                  {"hypervisor_version", 7002000},
                  {"running_vms", below(9)},
                  {"current_workload", below(4)},
                  {"supported_instances", json::array{json::array{once_in(6) ? "i686" : "x86_64", "kvm", "hvm"}}},
                  {"metrics", json::array()}};
    auto& stats = node.stats;
    // A few hosts report no use. Claims on them count as well.
    if (!once_in(15)) stats["vcpus_used"] = below(static_cast<std::uint64_t>(vcpus));
    if (!once_in(15)) stats["memory_mb_used"] = 256 * below(static_cast<std::uint64_t>(memory / 256));
    if (!once_in(15)) stats["local_gb_used"] = below(static_cast<std::uint64_t>(disk));
    if (!once_in(4)) stats["free_ram_mb"] = memory - 128 * static_cast<std::int64_t>(below(memory / 64));
    if (!once_in(4)) stats["free_disk_gb"] = disk - static_cast<std::int64_t>(below(disk + 10));
    if (!once_in(4)) stats["disk_available_least"] = static_cast<std::int64_t>(below(disk));
    if (policy_.name == "exact_vcpus") stats["vcpus_used"] = vcpus - static_cast<std::int64_t>(below(4));
    if (policy_.name == "exact_memory") stats["free_ram_mb"] = 256 * below(10);
    for (const auto* ratio : {"cpu_allocation_ratio", "ram_allocation_ratio", "disk_allocation_ratio"}) {
      constexpr std::array ratios{0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.7};
      if (!once_in(3)) stats[ratio] = ratios[below(ratios.size())];
    }
    if (!once_in(3)) stats["stats"] = json::object{{"num_instances", below(12)}, {"io_workload", below(8)}};
    if (!once_in(4)) stats["numa_topology"] = topology();
    if (!once_in(4)) stats["pci_stats"] = pools();
    fleet::ComputeNode merged;
    fleet::ClaimChanges changes;
    fleet_.put_compute_node(node, merged, changes);
    changes.commit();
  }

  json::value topology() {
    json::array cells;
    const auto count = 1 + static_cast<std::int64_t>(below(2));
    const auto has_threads = once_in(2);
    for (std::int64_t id = 0; id < count; ++id) {
      const auto first = id * 8;
      json::array siblings;
      const std::int64_t threads = has_threads ? 2 : 1;
      for (auto cpu = first; cpu < first + 8; cpu += threads) siblings.push_back(set_of(cpu, threads));
      const auto page = [&](std::int64_t size, std::int64_t total, std::uint64_t used) {
        return json::object{
            {"_object", "NUMAPagesTopology"}, {"size_kb", size}, {"total", total}, {"used", used}, {"reserved", 0}};
      };
      cells.push_back(json::object{
          {"_object", "NUMACell"},
          {"id", id},
          {"cpuset", set_of(first, 8)},
          {"pcpuset", set_of(first, once_in(3) ? 4 : 8)},
          {"cpu_usage", below(6)},
          {"memory", 8192},
          {"memory_usage", 512 * below(8)},
          {"pinned_cpus", set_of(first, static_cast<std::int64_t>(below(4)))},
          {"siblings", std::move(siblings)},
          {"socket", id},
          {"mempages", json::array{page(4, 2'097'152, 65'536 * below(8)), page(2048, 1024, 32 * below(20))}}});
    }
    return json::object{{"_object", "NUMATopology"}, {"cells", std::move(cells)}};
  }

  json::value pools() {
    json::array all;
    for (auto more = below(4); more > 0; --more) {
      json::object pool{{"vendor_id", "8086"},
                        {"product_id", once_in(2) ? "154d" : "10fb"},
                        {"count", 1 + below(4)},
                        {"numa_node", once_in(3) ? json::value() : json::value(below(2))}};
      if (once_in(3)) pool["physical_network"] = "net" + std::to_string(below(2));
      all.push_back(std::move(pool));
    }
    return all;
  }

  void add_aggregate(std::int64_t id) {
    fleet::Aggregate aggregate;
    aggregate.id = id;
    aggregate.uuid = "a0000000-0000-4000-8000-00000000000" + std::to_string(id);
    aggregate.name = "aggregate-" + std::to_string(id);
    auto& metadata = aggregate.metadata;
    if (once_in(2)) metadata["availability_zone"] = "zone" + std::to_string(id % 2);
    if (once_in(2)) metadata["max_io_ops_per_host"] = std::to_string(4 + below(6));
    if (once_in(2)) metadata["max_instances_per_host"] = std::to_string(8 + below(12));
    if (once_in(2)) metadata["cpu_allocation_ratio"] = once_in(2) ? "1.7" : "4.0";
    if (once_in(2)) metadata["ram_allocation_ratio"] = once_in(2) ? "1.3" : "0.8";
    if (once_in(2)) metadata["disk_allocation_ratio"] = once_in(2) ? "1.25" : "2";
    if (once_in(5)) metadata["filter_tenant_id"] = "project";
    if (once_in(5)) metadata["instance_type"] = "m,n";
    if (once_in(3)) metadata["ssd"] = "true";
    for (const auto& host : hosts_)
      if (once_in(3)) aggregate.hosts.push_back(host);
    fleet_.put_aggregate(aggregate);
  }

  json::value instance_topology() {
    json::array cells;
    const auto count = 1 + static_cast<std::int64_t>(below(2));
    const auto is_dedicated = once_in(2);
    const auto page = below(3);
    for (std::int64_t id = 0; id < count; ++id) {
      const auto cpus = 1 + static_cast<std::int64_t>(below(3));
      cells.push_back(json::object{{"_object", "InstanceNUMACell"},
                                   {"id", id},
                                   {"cpuset", is_dedicated ? set_of(0, 0) : set_of(id * 4, cpus)},
                                   {"pcpuset", is_dedicated ? set_of(id * 4, cpus) : set_of(0, 0)},
                                   {"cpuset_reserved", nullptr},
                                   {"memory", 512 << below(3)},
                                   {"pagesize", page == 0 ? json::value() : json::value(page == 1 ? 4 : 2048)},
                                   {"cpu_pinning_raw", nullptr},
                                   {"cpu_policy", is_dedicated ? "dedicated" : "shared"},
                                   {"cpu_thread_policy", nullptr}});
    }
    return json::object{
        {"_object", "InstanceNUMATopology"}, {"cells", std::move(cells)}, {"emulator_threads_policy", nullptr}};
  }

  json::value pci_requests() {
    json::array all;
    for (auto more = 1 + below(2); more > 0; --more) {
      json::object wanted{{"vendor_id", "8086"}};
      if (once_in(2)) wanted["product_id"] = "154d";
      all.push_back(json::object{{"count", 1 + below(2)}, {"spec", json::array{std::move(wanted)}}});
    }
    return all;
  }

  std::string any_spec() {
    json::object specs;
    if (once_in(5)) specs["aggregate_instance_extra_specs:ssd"] = "true";
    const bool judges_use = policy_.compatibility == "zed" && policy_.driver == "filter";
    if (judges_use && once_in(6)) specs["capabilities:vcpus_used"] = "<= " + std::to_string(8 + below(8));
    if (judges_use && once_in(8)) specs["capabilities:num_instances"] = "s!= " + std::to_string(5 + below(6));
    json::object properties;
    if (once_in(2)) properties["hw_architecture"] = "x86_64";
    // Each instance takes something that all policies of this test bound.
    json::object spec{{"flavor",
                       {{"id", 1},
                        {"name", once_in(2) ? "m" : "n"},
                        {"vcpus", policy_.name == "icehouse" || !once_in(12) ? 1 + below(4) : 0},
                        {"memory_mb", 256 * (1 + below(10))},
                        {"root_gb", below(20)},
                        {"ephemeral_gb", once_in(3) ? below(9) : 0},
                        {"swap", once_in(3) ? 100 * below(30) : 0},
                        {"extra_specs", specs}}},
                      {"image", {{"id", "image"}, {"properties", properties}}},
                      {"project_id", once_in(2) ? "project" : "other"},
                      {"availability_zone", once_in(3) ? json::value("zone1") : json::value()},
                      {"is_bfv", once_in(4)},
                      {"num_instances", 1},
                      {"numa_topology", once_in(2) ? instance_topology() : json::value()},
                      {"pci_requests", once_in(3) ? pci_requests() : json::value()},
                      {"ignore_hosts", once_in(5) ? json::value(json::array{hosts_.front()}) : json::value()}};
    return json::write(spec);
  }

  drivers::DriverCallSettings call_settings(const fleet::Moment& moment, drivers::Sink& sink) {
    drivers::DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &sink;
    settings.now = now_;
    settings.seed = random_();
    settings.instance_facts = [this](std::string_view uuid) -> std::optional<drivers::InstanceFacts> {
      const auto known = fleet_.instance(uuid);
      if (!known) return std::nullopt;
      return drivers::InstanceFacts{std::string(json::find_string(known->flavor, "name").value_or("")), "", ""};
    };
    return settings;
  }

  Result<std::vector<std::uint64_t>> count(const std::string& text) {
    const auto moment = fleet_.pin(now_);
    auto spec = scheduling::parse_request_spec(*json::parse(text), {}, {});
    drivers::Sink no_results;
    drivers::DriverCall call(call_settings(moment, no_results));
    auto& driver = *drivers_->for_topic("compute");
    const auto* request = scheduling::build_driver_request(call, driver, *spec, nullptr, 0, 0);
    std::vector<std::uint64_t> counts(request->view->rows);
    auto counted = driver.count_capacity(call, *request, counts.data());
    if (!counted) return std::move(counted).error();
    return counts;
  }

  // Places and claims one instance. Returns its row, or nothing if no host is left.
  std::optional<std::uint32_t> place(const std::string& text) {
    const auto moment = fleet_.pin(now_);
    const auto uuid = to_text(random_uuid());
    auto spec = scheduling::parse_request_spec(*json::parse(text), {}, {uuid});
    scheduling::PickSink sink(fleet_, moment, *moment.view("compute"), *spec, scheduling::ClaimMode::in_memory, now_);
    drivers::DriverCall call(call_settings(moment, sink));
    auto& driver = *drivers_->for_topic("compute");
    const auto* request = scheduling::build_driver_request(call, driver, *spec, nullptr, 0, 0);
    const auto decided = driver.select_destinations(call, *request);
    if (!decided) {
      EXPECT_EQ(decided.error().code, ErrorCode::no_valid_host) << decided.error().message;
      return std::nullopt;
    }
    fleet::ClaimChanges changes;
    EXPECT_TRUE(sink.tickets().front().confirm(changes));
    changes.commit();
    const auto row = sink.placements().front().pick->row;
    const auto name = moment.row_name(*moment.view("compute"), row);
    fleet::Instance instance;
    instance.uuid = uuid;
    instance.host = name.host;
    instance.node = name.node;
    instance.vm_state = "building";
    instance.flavor = *json::find_object(spec->plain, "flavor");
    fleet_.put_instance(instance);
    return row;
  }

  drivers::TrustedDirectory directory_;
  std::mt19937_64 random_;
  const Policy policy_;
  fleet::Fleet fleet_{{}};
  gantry_context context_{sizeof(gantry_context), 0, {}, {}, {}, {}, {}, {}};
  std::optional<drivers::DriverSet> drivers_;
  const fleet::Nanoseconds now_ = start;
  std::vector<std::string> hosts_;
};

class WhatFits : public ::testing::TestWithParam<Policy> {
 protected:
  static constexpr int fleets() {
#ifdef GANTRY_SANITIZE
    return 2;
#else
    return 25;
#endif
  }
};

TEST_P(WhatFits, IsWhatIsPlacedUntilNoHostIsLeft) {
  const auto* const given = std::getenv("GANTRY_TEST_SEED");
  const auto first = given == nullptr ? std::random_device{}() : std::strtoul(given, nullptr, 10);
  std::size_t placed = 0;
  // A fleet may have room for none of its requests: more fleets are drawn until something was placed.
  for (int at = 0; at < fleets() || (placed == 0 && at < 100); ++at) {
    SCOPED_TRACE("GANTRY_TEST_SEED=" + std::to_string(first + static_cast<std::uint64_t>(at)));
    RandomFleet fleet(GetParam(), first + static_cast<std::uint64_t>(at));
    for (int request = 0; request < 3; ++request) placed += fleet.compare();
    if (HasFailure()) return;
  }
  EXPECT_GT(placed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Policies, WhatFits, ::testing::ValuesIn(policies),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace gantry
