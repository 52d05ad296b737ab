// SPDX-License-Identifier: Apache-2.0
//
// The cost of a request for PCI devices that placement knows, over hosts with eight providers of devices each, from the
// question for placement's candidates to the driver's pick: the candidates from memory, the request with its rows as the
// core lays it out, and the decision of the filter driver, which is loaded as gantryd loads it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/driver_loader.hpp"
#include "core/fleet/fleet.hpp"
#include "core/nova/mirror/candidate_search.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "tests/bench/filter/filter_taker.hpp"

namespace gantry::nova::bench {
namespace {

constexpr std::int64_t providers = 8;
constexpr std::int64_t vcpu = 1;
constexpr std::int64_t device = 2;
constexpr fleet::Nanoseconds fleet_time = 1'800'000'000'000'000'000;
constexpr const char* request_id = "11111111-0000-4000-8000-000000000000";

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_nova_devices: %s\n", why.c_str());
  std::exit(1);
}

std::string uuid_of(std::int64_t number) {
  auto digits = std::to_string(number);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

std::int64_t id_of(std::int64_t host, std::int64_t child) {
  return 1 + host * (providers + 1) + child;
}

InventoryFact inventory(std::int64_t resource_class, std::int64_t total) {
  return {resource_class, total, 0, 1.0, 1.0, 1, total, 1, 0};
}

// Hosts with eight providers of so many devices each, as placement and as the hosts' reports have them.
class Fleet {
 public:
  Fleet(std::int64_t hosts, std::int64_t devices) {
    config::Settings settings;
    settings.scheduler_driver = {"filter"};
    settings.driver_directories = {GANTRY_BUILT_DRIVERS};
    auto& options = settings.drivers["filter"].options;
    options["enabled_filters"] = {std::vector<std::string>{"NUMATopologyFilter", "PciPassthroughFilter"}, "bench"};
    options["compatibility"] = {std::string("hibiscus"), "bench"};
    options["ignore_placement_requirements"] = {true, "bench"};
    auto loaded = drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
                                        [this](const drivers::Manifest& manifest) { return declare(manifest); });
    if (!loaded) give_up(loaded.error().message);
    drivers_.push_back(*std::move(loaded));
    ProviderChanges changes;
    changes.resource_classes = NameFacts{{vcpu, "VCPU"}, {device, "CUSTOM_PCI_8086_1520"}};
    for (std::int64_t host = 0; host < hosts; ++host) add(host, devices, changes);
    if (!state.apply(std::move(changes))) give_up("the providers are not consistent");
    moment = fleet_.pin(fleet_time);
  }

  drivers::Driver& driver() { return *drivers_[0].for_topic("compute"); }

  ProviderState state;
  fleet::Moment moment;

 private:
  Result<void> declare(const drivers::Manifest& manifest) {
    for (const auto& column : manifest.uses) {
      if (column.type == 0) continue;
      if (auto done = fleet_.declare_column({column.name, column.type, manifest.id}); !done) return done;
    }
    return {};
  }

  void add(std::int64_t host, std::int64_t devices, ProviderChanges& changes) {
    ProviderFact root;
    root.id = root.root = id_of(host, 0);
    root.uuid = uuid_of(root.id);
    root.inventories = {inventory(vcpu, 64)};
    json::array pools;
    for (std::int64_t child = 1; child <= providers; ++child) {
      auto& fact = changes.providers.emplace_back();
      fact.id = id_of(host, child);
      fact.root = root.id;
      fact.parent = root.id;
      fact.uuid = uuid_of(fact.id);
      fact.inventories = {inventory(device, devices)};
      pools.push_back(json::object{{"vendor_id", "8086"},
                                   {"product_id", "1520"},
                                   {"numa_node", 0},
                                   {"dev_type", "type-PCI"},
                                   {"address", "0000:8" + std::to_string(child) + ":00.0"},
                                   {"rp_uuid", fact.uuid},
                                   {"count", devices}});
    }
    fleet::Service service;
    service.topic = "compute";
    service.host = "h" + std::to_string(host);
    service.binary = "nova-compute";
    service.last_seen_up = fleet_time;
    fleet_.put_service(service);
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = node.node = service.host;
    node.stats = {{"uuid", root.uuid}, {"vcpus", 64},         {"vcpus_used", 0},    {"memory_mb", 65536},
                  {"local_gb", 1000},  {"memory_mb_used", 0}, {"local_gb_used", 0}, {"pci_stats", std::move(pools)}};
    node.sampled_at = node.updated_at = fleet_time;
    fleet::ComputeNode merged;
    fleet::ClaimChanges claims;
    fleet_.put_compute_node(node, merged, claims);
    claims.commit();
    changes.providers.push_back(std::move(root));
  }

  fleet::Fleet fleet_{fleet::FleetSettings{}};
  std::vector<drivers::DriverSet> drivers_;
};

Fleet& fleet_of(std::int64_t hosts, std::int64_t devices) {
  static std::unique_ptr<Fleet> fleet;
  static std::pair<std::int64_t, std::int64_t> kept;
  if (fleet == nullptr || kept != std::pair(hosts, devices)) {
    fleet.reset();
    fleet = std::make_unique<Fleet>(hosts, devices);
    kept = {hosts, devices};
  }
  return *fleet;
}

// A request for eight devices, in so many groups at placement.
struct Request {
  explicit Request(int group_count) {
    query = "limit=1000&resources=VCPU:1";
    if (group_count != 0) query += "&group_policy=none";
    json::array requested;
    for (int number = 0; number < group_count; ++number) {
      groups.push_back(request_id + ("-" + std::to_string(number)));
      query += "&resources" + groups.back() + "=CUSTOM_PCI_8086_1520:1";
      requested.push_back(json::object{{"requester_id", groups.back()}});
    }
    json::object spec{
        {"flavor",
         {{"vcpus", 1}, {"memory_mb", 0}, {"root_gb", 0}, {"ephemeral_gb", 0}, {"extra_specs", json::object()}}},
        {"image", json::object()},
        {"requested_resources", std::move(requested)},
        {"pci_requests",
         {{"requests",
           {{{"alias_name", "gpu"},
             {"request_id", request_id},
             {"count", 8},
             {"spec", {{{"vendor_id", "8086"}, {"product_id", "1520"}}}}}}}}}};
    auto read = scheduling::parse_request_spec(spec, {}, {});
    if (!read) give_up(read.error().message);
    parsed.emplace(*std::move(read));
  }

  std::string query;
  std::vector<std::string> groups;
  std::optional<scheduling::RequestSpec> parsed;
};

// The rows that the mirror's answer leaves to a request.
class Rows final : public scheduling::Admission {
 public:
  Rows(const MirrorCandidates& found, const Request& request) : found_(found), request_(request) {}

  const json::object& spec() const override { return spec_; }
  bool is_bounded() const override { return true; }
  bool is_eligible(std::string_view row) const override { return found_.is_seen(row); }
  bool is_claimable(std::string_view row) const override { return found_.is_claimable(row); }
  std::vector<std::string> groups_to_choose() const override { return request_.groups; }
  void add_candidates(std::string_view row, scheduling::RowOfCandidates& to) const override {
    std::vector<scheduling::RowOfCandidates::Provider> providers;
    std::vector<gantry_slice> groups;
    found_.each_choices(row, request_.groups, [&](const MirrorCandidates::Choices& choices) {
      providers.clear();
      groups.clear();
      for (std::size_t at = 0; at < choices.size(); ++at) {
        if (at != 0 && std::ranges::equal(choices[at], choices[at - 1])) {
          groups.push_back(groups.back());
          continue;
        }
        groups.push_back(
            {static_cast<std::uint32_t>(providers.size()), static_cast<std::uint32_t>(choices[at].size())});
        for (const auto& each : choices[at]) providers.push_back({found_.shape().uuid(each.row), each.room});
      }
      to.add(providers, groups);
    });
  }
  std::string why_not_eligible() const override { return "placement has no candidates on the other hosts"; }
  std::optional<Error> refusal() const override { return std::nullopt; }
  bool is_anew() const override { return true; }
  json::object record() const override { return {}; }
  std::string claim_text(std::string_view /*row*/, const scheduling::GroupProviders& /*chosen*/) const override {
    return "null";
  }
  std::string_view claim_version() const override { return {}; }
  std::vector<scheduling::AuthorityVerdict> confirm(std::span<const scheduling::AuthorityPick> /*picks*/) override {
    return {};
  }
  void withdraw(std::span<const std::string> /*instance_uuids*/) override {}

 private:
  const MirrorCandidates& found_;
  const Request& request_;
  json::object spec_;
};

void decide(benchmark::State& state, std::int64_t devices, int groups) {
  auto& fleet = fleet_of(state.range(0), devices);
  const Request asked(groups);
  const scheduling::RequestContext context({}, "req-bench");
  std::vector<std::uint32_t> chosen;
  for (auto _ : state) {
    const auto found = find_candidates(fleet.state, asked.query);
    if (found.kind != MirrorAnswer::Kind::answered) give_up(found.reason);
    const auto& view = *fleet.moment.view("compute");
    const auto bounds = scheduling::bounds_of(Rows(found.candidates, asked), fleet.moment, view);
    gantry::bench::Taker taker(chosen);
    drivers::DriverCallSettings settings;
    settings.moment = fleet.moment;
    settings.context = &context.view();
    settings.view = &view;
    settings.sink = &taker;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    settings.now = fleet_time;
    settings.seed = 1;
    drivers::DriverCall call(std::move(settings));
    const auto* const request =
        scheduling::build_driver_request(call, fleet.driver(), *asked.parsed, nullptr, 0, 0, &bounds);
    if (request == nullptr) give_up("no memory to lay the request out");
    if (const auto decided = fleet.driver().select_destinations(call, *request); !decided)
      give_up(decided.error().message);
  }
}

void plain_request(benchmark::State& state) {
  decide(state, 1, 0);
}
BENCHMARK(plain_request)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void eight_of_eight_equal_devices(benchmark::State& state) {
  decide(state, 1, 8);
}
BENCHMARK(eight_of_eight_equal_devices)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void eight_groups_over_eight_providers(benchmark::State& state) {
  decide(state, 8, 8);
}
BENCHMARK(eight_groups_over_eight_providers)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gantry::nova::bench

BENCHMARK_MAIN();
