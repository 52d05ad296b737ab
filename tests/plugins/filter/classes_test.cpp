// SPDX-License-Identifier: Apache-2.0
//
// What the filter driver keeps of requests that are alike changes nothing: random histories of a fleet, in which each
// request is decided by a driver that keeps and by one that keeps nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry {
namespace {

constexpr fleet::Nanoseconds start = 1'800'000'000'000'000'000;

// Notes all that a driver hands over.
class Notes : public drivers::Sink {
 public:
  gantry_code pick(const drivers::Pick& pick) override { return note("pick", pick); }
  gantry_code alternate(const drivers::Pick& alternate) override { return note("alternate", alternate); }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override {
    text += "refuse " + std::to_string(instance) + " " + std::string(reason) + "\n";
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    text += "step " + std::string(step.name.data, step.name.size) + " " + std::to_string(step.hosts_in) + " " +
            std::to_string(step.hosts_out) + " " + std::string(step.reason.data, step.reason.size) + "\n";
  }
  gantry_code explain_host(const gantry_host_explanation& /*explanation*/) override { return GANTRY_OK; }
  gantry_code claim(const gantry_claim& /*claim*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code reply(std::string_view /*json*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code cast(const gantry_cast& /*cast*/) override { return GANTRY_UNSUPPORTED; }

  std::string text;
  std::vector<std::uint32_t> picked;

 private:
  gantry_code note(const char* what, const gantry_pick& choice) {
    char weight[64];
    std::snprintf(weight, sizeof weight, " %a", choice.weight);
    text += std::string(what) + " " + std::to_string(choice.instance) + " " + std::to_string(choice.row) + weight;
    for (const double limit : {choice.limits.vcpu, choice.limits.memory_mb, choice.limits.disk_gb})
      text += " " + std::to_string(limit);
    text += "\n";
    if (std::string_view(what) == "pick") picked.push_back(choice.row);
    return GANTRY_OK;
  }
};

struct Policy {
  std::string name;
  std::vector<std::string> filters;
  std::vector<std::string> weighers;
  std::string compatibility = "zed";
  bool is_random = false;  // chooses among equals, and among the three best
};

std::ostream& operator<<(std::ostream& out, const Policy& policy) {
  return out << policy.name;
}

const std::vector<std::string> all_weighers{"nova.scheduler.weights.all_weighers"};
const std::vector<Policy> policies{
    {"defaults",
     {"ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
      "ServerGroupAffinityFilter", "AvailabilityZoneFilter", "CoreFilter", "RamFilter", "DiskFilter"},
     all_weighers},
    {"aggregates",
     {"AggregateImagePropertiesIsolation", "AggregateInstanceExtraSpecsFilter", "AggregateIoOpsFilter",
      "AggregateMultiTenancyIsolation", "AggregateNumInstancesFilter", "AggregateRamFilter", "IoOpsFilter",
      "NumInstancesFilter", "MetricsFilter", "NUMATopologyFilter", "PciPassthroughFilter", "ComputeFilter"},
     all_weighers},
    {"few", {"ComputeFilter", "RamFilter"}, {"RAMWeigher", "IoOpsWeigher"}},
    {"random", {"ComputeFilter", "RamFilter"}, {"IoOpsWeigher"}, "zed", true},
    {"ocata",
     {"ComputeFilter", "RamFilter", "CoreFilter", "DiskFilter", "ImagePropertiesFilter"},
     all_weighers,
     "ocata"},
    {"icehouse", {"ComputeFilter", "RamFilter", "CoreFilter"}, all_weighers, "icehouse"},
};

drivers::DriverSet load(const std::string& directory, fleet::Fleet& fleet, const Policy& policy, std::int64_t mib,
                        config::Isolation isolation = config::Isolation::none) {
  config::Settings settings;
  settings.scheduler_driver = {"filter"};
  settings.driver_directories = {directory};
  settings.drivers["filter"].isolation = isolation;
  auto& options = settings.drivers["filter"].options;
  options["enabled_filters"] = {policy.filters, "test"};
  options["weight_classes"] = {policy.weighers, "test"};
  options["request_cache_mib"] = {mib, "test"};
  options["compatibility"] = {policy.compatibility, "test"};
  options["shuffle_best_same_weighed_hosts"] = {policy.is_random, "test"};
  options["host_subset_size"] = {std::int64_t{policy.is_random ? 3 : 1}, "test"};
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

// A fleet that changes, and what is asked of it.
class Histories {
 public:
  Histories(const Policy& policy, std::uint64_t seed, std::size_t hosts) : random_(seed) {
    directory_.add(GANTRY_DRIVERS "/filter.so", "filter.so");
    keeps_.emplace(load(directory_.path().string(), fleet_, policy, 64));
    keeps_nothing_.emplace(load(directory_.path().string(), fleet_, policy, 0));
    if (fleet::shared_cells() != nullptr)
      keeps_elsewhere_.emplace(load(directory_.path().string(), fleet_, policy, 64, config::Isolation::process));
    for (std::int64_t id = 1; id <= 3; ++id) change_aggregate(id);
    for (std::size_t host = 0; host < hosts; ++host) add_host();
  }

  void change() {
    switch (below(40)) {
      case 0: return change_aggregate(1 + static_cast<std::int64_t>(below(3)));
      case 1: return add_host();
      case 2: return remove_host();
      case 3: return put_service(any_host(), below(3) == 0, below(4) == 0);
      case 4: return pass_time();
      default: return report(any_host());
    }
  }

  // Whether both say the same; the chosen hosts are claimed.
  void decide() {
    const auto spec = any_spec();
    const auto moment = fleet_.pin(now_);
    const auto seed = random_();
    const auto alternates = static_cast<std::uint32_t>(below(4));
    const auto kept = ask(*keeps_, moment, spec, alternates, seed);
    const auto anew = ask(*keeps_nothing_, moment, spec, alternates, seed);
    ASSERT_EQ(kept.text, anew.text) << spec;
    if (keeps_elsewhere_) {
      const auto elsewhere = ask(*keeps_elsewhere_, moment, spec, alternates, seed);
      ASSERT_EQ(elsewhere.text, anew.text) << spec;
    }
    for (const auto row : kept.picked) claim(moment, row);
    chosen_ += kept.text.find("alternate") != std::string::npos ? 1 : 0;
  }

  // As decide(), but many at once on the same moment.
  void decide_together() {
    const auto moment = fleet_.pin(now_);
    std::vector<std::string> specs(24);
    std::generate(specs.begin(), specs.end(), [this] { return any_spec(); });
    std::vector<std::string> wanted(specs.size());
    std::transform(specs.begin(), specs.end(), wanted.begin(),
                   [&](const std::string& spec) { return ask(*keeps_nothing_, moment, spec, 2, 1).text; });
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t at = 0; at < specs.size(); ++at) {
          const auto which = (at + thread * 5) % specs.size();
          if (ask(*keeps_, moment, specs[which], 2, 1).text != wanted[which]) ++wrong;
          if (keeps_elsewhere_ && ask(*keeps_elsewhere_, moment, specs[which], 2, 1).text != wanted[which]) ++wrong;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }

  // Hosts that were picked out of several.
  int chosen() const { return chosen_; }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string any_host() { return hosts_[below(hosts_.size())]; }

  void add_host() {
    hosts_.push_back("host-" + std::to_string(made_++));
    put_service(hosts_.back(), below(20) == 0, false);
    if (below(15) != 0) report(hosts_.back());
  }
  void remove_host() {
    const auto at = below(hosts_.size());
    fleet_.remove_service("compute", hosts_[at]);
    fleet_.remove_compute_node("compute", hosts_[at], hosts_[at]);
    hosts_.erase(hosts_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void put_service(const std::string& host, bool disabled, bool forced_down) {
    fleet::Service service;
    service.topic = "compute";
    service.host = host;
    service.disabled = disabled;
    service.forced_down = forced_down;
    service.last_seen_up = now_;
    fleet_.put_service(service);
  }
  // Some hosts miss a heartbeat, and three in a row take them down.
  void pass_time() {
    now_ += 20'000'000'000;
    for (const auto& host : hosts_)
      if (below(5) != 0) put_service(host, below(30) == 0, false);
  }
  void change_aggregate(std::int64_t id) {
    fleet::Aggregate aggregate;
    aggregate.id = id;
    aggregate.uuid = "a0000000-0000-4000-8000-00000000000" + std::to_string(id);
    aggregate.name = "aggregate-" + std::to_string(id);
    if (below(2) == 0) aggregate.metadata["availability_zone"] = "zone" + std::to_string(id % 2);
    if (below(2) == 0) aggregate.metadata["ram_weight_multiplier"] = std::to_string(below(3));
    if (below(2) == 0) aggregate.metadata["max_io_ops_per_host"] = std::to_string(3 + below(9));
    if (below(3) == 0) aggregate.metadata["filter_tenant_id"] = "project";
    for (const auto& host : hosts_)
      if (below(3) == 0) aggregate.hosts.push_back(host);
    fleet_.put_aggregate(aggregate);
  }
  // Few values of each, so that hosts are equal in much and extremes are shared, leave and come back.
  void report(const std::string& host) {
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = node.node = host;
    node.sampled_at = node.updated_at = now_;
    node.stats = {{"uuid", "b0000000-0000-4000-8000-00000000" + std::to_string(1000 + made_ % 9000)},
                  {"vcpus", 16 + 16 * below(3)},
                  {"memory_mb", 16384},
                  {"local_gb", 500},
                  {"vcpus_used", below(20)},
                  {"memory_mb_used", 512 * below(30)},
                  {"free_ram_mb", 16384 - 512 * static_cast<std::int64_t>(below(31))},
                  {"free_disk_gb", 50 * below(10)},
                  {"disk_available_least", 50 * below(10)},
                  {"cpu_allocation_ratio", below(2) == 0 ? 4.0 : 1.3},
                  {"hypervisor_type", "QEMU"},
                  {"hypervisor_version", 7002000 + 1000 * below(2)},
                  {"supported_instances", json::array{json::array{below(2) == 0 ? "x86_64" : "i686", "kvm", "hvm"}}},
                  {"metrics", json::array()},
                  {"stats", json::object{{"num_instances", below(40)},
                                         {"io_workload", below(9)},
                                         {"failed_builds", below(5) == 0 ? below(3) : 0}}}};
    if (below(3) == 0)
      node.stats["pci_stats"] =
          json::array{json::object{{"vendor_id", "8086"}, {"count", below(40) == 0 ? 50 + below(9) : 1 + below(4)}}};
    if (below(2) == 0) node.stats["numa_topology"] = numa_topology();
    // Now and then among the best, though not by being the first in anything.
    if (below(20) == 0) {
      node.stats["free_ram_mb"] = 15300 + below(500);
      node.stats["vcpus_used"] = 1;
      node.stats["cpu_allocation_ratio"] = 4.0;
      node.stats["free_disk_gb"] = node.stats["disk_available_least"] = 400;
      node.stats["stats"] = json::object{{"num_instances", 1}, {"io_workload", 0}, {"failed_builds", 0}};
      node.stats["pci_stats"] = nullptr;
    }
    fleet::ComputeNode merged;
    fleet::ClaimChanges changes;
    fleet_.put_compute_node(node, merged, changes);
    changes.commit();
  }
  json::value numa_topology() {
    const auto set = [](std::int64_t first, std::int64_t count) {
      json::array members;
      for (auto member = first; member < first + count; ++member) members.push_back(member);
      return json::object{{"_set", std::move(members)}};
    };
    json::object page{{"_object", "NUMAPagesTopology"},
                      {"size_kb", 4},
                      {"total", 2'000'000},
                      {"used", 100'000 * below(20)},
                      {"reserved", 0}};
    json::object cell{{"_object", "NUMACell"},
                      {"id", 0},
                      {"cpuset", set(0, 8)},
                      {"pcpuset", set(0, 8)},
                      {"cpu_usage", below(8)},
                      {"memory", 8192},
                      {"memory_usage", 1024 * below(8)},
                      {"pinned_cpus", set(0, static_cast<std::int64_t>(below(9)))},
                      {"siblings", json::array()},
                      {"socket", 0},
                      {"mempages", json::array{page}}};
    return json::object{{"_object", "NUMATopology"}, {"cells", json::array{cell}}};
  }
  void claim(const fleet::Moment& moment, std::uint32_t row) {
    fleet::Claim claim;
    claim.consumer = "c0000000-0000-4000-8000-0000" + std::to_string(10'000'000 + claims_++);
    claim.items = {{"vcpu", 1.0}, {"memory_mb", 512.0}, {"disk_gb", 10.0}, {"instances", 1.0}};
    claim.created_at = now_;
    auto ticket = fleet_.claim(moment, *moment.view("compute"), row, std::move(claim));
    fleet::ClaimChanges changes;
    if (ticket.confirm(changes)) changes.commit();
  }

  json::value one_cell() {
    const json::object cell{{"_object", "InstanceNUMACell"},
                            {"id", 0},
                            {"cpuset", json::object{{"_set", json::array{0, 1}}}},
                            {"pcpuset", json::object{{"_set", json::array()}}},
                            {"memory", 1024 << below(3)},
                            {"pagesize", nullptr},
                            {"cpu_policy", "shared"}};
    return json::object{{"_object", "InstanceNUMATopology"},
                        {"instance_uuid", "d0000000-0000-4000-8000-0000" + std::to_string(10'000'000 + asked_)},
                        {"cells", json::array{cell}},
                        {"emulator_threads_policy", nullptr}};
  }
  std::string any_spec() {
    json::object specs;
    if (below(3) == 0) specs["aggregate_instance_extra_specs:availability_zone"] = "zone1";
    json::object properties;
    if (below(2) == 0) properties["hw_architecture"] = "x86_64";
    json::object spec{{"flavor",
                       {{"id", 1},
                        {"name", "m"},
                        {"vcpus", 1 + below(2)},
                        {"memory_mb", 512 << below(3)},
                        {"root_gb", 10},
                        {"ephemeral_gb", 0},
                        {"swap", 0},
                        {"extra_specs", specs}}},
                      {"image", {{"id", "image"}, {"properties", properties}}},
                      {"project_id", below(2) == 0 ? "project" : "other"},
                      {"availability_zone", below(3) == 0 ? json::value("zone1") : json::value()},
                      {"is_bfv", below(4) == 0},
                      {"num_instances", below(6) == 0 ? 2 : 1},
                      {"numa_topology", below(4) == 0 ? one_cell() : json::value()},
                      {"ignore_hosts", below(9) == 0 ? json::value(json::array{any_host()}) : json::value()},
                      {"instance_uuid", "d0000000-0000-4000-8000-0000" + std::to_string(10'000'000 + asked_++)}};
    return json::write(spec);
  }

  Notes ask(const drivers::DriverSet& set, const fleet::Moment& moment, const std::string& text,
            std::uint32_t alternates, std::uint64_t seed) const {
    auto spec = scheduling::parse_request_spec(*json::parse(text), {}, {});
    Notes notes;
    drivers::DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &notes;
    settings.deadline = std::chrono::steady_clock::time_point::max();
    settings.now = now_;
    settings.seed = seed;
    drivers::DriverCall call(std::move(settings));
    auto& driver = *set.for_topic("compute");
    const auto* request = scheduling::build_driver_request(call, driver, *spec, nullptr, alternates, 0);
    const auto decided = driver.select_destinations(call, *request);
    notes.text += decided ? "decided" : decided.error().message;
    return notes;
  }

  drivers::TrustedDirectory directory_;
  std::mt19937_64 random_;
  fleet::Fleet fleet_{{}};
  gantry_context context_{sizeof(gantry_context), 0, {}, {}, {}, {}, {}, {}};
  std::optional<drivers::DriverSet> keeps_;
  std::optional<drivers::DriverSet> keeps_nothing_;
  std::optional<drivers::DriverSet> keeps_elsewhere_;  // in a process of its own
  fleet::Nanoseconds now_ = start;
  std::vector<std::string> hosts_;
  std::size_t made_ = 0;
  std::size_t claims_ = 0;
  std::size_t asked_ = 0;
  int chosen_ = 0;
};

class RequestsThatAreAlike : public ::testing::TestWithParam<Policy> {
 protected:
  // The steps of a history. Fewer in a sanitizer's build, which takes many times as long for each.
  static constexpr int steps(int count) {
#ifdef GANTRY_SANITIZE
    return count / 8;
#else
    return count;
#endif
  }
};

TEST_P(RequestsThatAreAlike, DecidesAlikeRequestsAsWithoutACache) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Histories history(GetParam(), seed, 150);
  for (int at = 0; at < steps(2000); ++at) {
    for (auto changes = at % 4; changes > 0; --changes) history.change();
    history.decide();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(history.chosen(), steps(2000) / 10) << "too few requests of the history found a host";
}

TEST_P(RequestsThatAreAlike, DecidesAlikeRequestsAsWithoutACacheInFleetsOfSeveralBlocks) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Histories history(GetParam(), seed, 2500);
  for (int at = 0; at < steps(600); ++at) {
    for (auto changes = at % 4; changes > 0; --changes) history.change();
    history.decide();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(history.chosen(), steps(600) / 10) << "too few requests of the history found a host";
}

TEST_P(RequestsThatAreAlike, DecidesAlikeRequestsAsWithoutACacheInParallel) {
  Histories history(GetParam(), 4711, 300);
  for (int at = 0; at < steps(40); ++at) {
    history.change();
    history.decide_together();
  }
}

// The rest of the process has shared cells then.
TEST_P(RequestsThatAreAlike, AreDecidedAlikeInAProcessOfTheDriversOwn) {
  const auto shared = fleet::share_cells();
  ASSERT_TRUE(shared) << shared.error().message;
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Histories history(GetParam(), seed, 150);
  for (int at = 0; at < steps(400); ++at) {
    for (auto changes = at % 4; changes > 0; --changes) history.change();
    history.decide();
    if (HasFatalFailure()) return;
  }
  for (int at = 0; at < steps(16); ++at) {
    history.change();
    history.decide_together();
  }
  EXPECT_GT(history.chosen(), steps(400) / 10) << "too few requests of the history found a host";
}

INSTANTIATE_TEST_SUITE_P(Policies, RequestsThatAreAlike, ::testing::ValuesIn(policies),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace gantry
