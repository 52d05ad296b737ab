// SPDX-License-Identifier: Apache-2.0
//
// The filter driver's NUMA fit and PCI requests, as Nova has them in Zed, and in Ocata where that is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "numa/consume.hpp"
#include "numa/topology_filter.hpp"
#include "numa/topology_json.hpp"
#include "numa/usage.hpp"
#include "pci/supply.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// A host of two cells with four CPUs and 4 GiB each; the CPUs of a cell are two cores of two threads.
json::value two_cells() {
  return json::parse(R"({"nova_object.name": "NUMATopology", "nova_object.data": {"cells": [
    {"nova_object.name": "NUMACell", "nova_object.data": {"id": 0, "socket": 0,
      "cpuset": [0, 1, 2, 3], "pcpuset": [0, 1, 2, 3], "pinned_cpus": [], "siblings": [[0, 1], [2, 3]],
      "memory": 4096, "cpu_usage": 0, "memory_usage": 0, "mempages": [
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 4, "total": 524288, "used": 0}},
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 2048, "total": 1024, "used": 0}}]}},
    {"nova_object.name": "NUMACell", "nova_object.data": {"id": 1, "socket": 1,
      "cpuset": [4, 5, 6, 7], "pcpuset": [4, 5, 6, 7], "pinned_cpus": [4], "siblings": [[4, 5], [6, 7]],
      "memory": 4096, "cpu_usage": 0, "memory_usage": 1024, "mempages": [
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 4, "total": 524288, "used": 0}},
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 2048, "total": 1024, "used": 512}}]}}
  ]}})");
}

host_topology host(const json::value& value = two_cells()) {
  return **read_host_topology(value);
}

host_topology host_without_threads() {
  json::value value = two_cells();
  for (json::value& cell : value.at("nova_object.data").at("cells").as_array()) {
    json::array& siblings = cell.at("nova_object.data").at("siblings").as_array();
    json::array single;
    for (const json::value& core : siblings) {
      for (const json::value& cpu : core.as_array()) single.push_back(json::array{cpu});
    }
    siblings = std::move(single);
  }
  return host(value);
}

instance_cell cell(std::int64_t id, std::vector<cpu_number> vcpus, std::int64_t memory, cpu_policy policy) {
  instance_cell made;
  made.id = id;
  made.memory = memory;
  made.cpu_policy = policy;
  (policy == cpu_policy::dedicated ? made.pcpuset : made.cpuset) = cpu_set(vcpus);
  return made;
}

instance_topology dedicated(std::vector<cpu_number> vcpus, std::int64_t memory = 1024,
                            cpu_thread_policy threads = cpu_thread_policy::unset) {
  instance_topology instance;
  instance.cells.push_back(cell(0, std::move(vcpus), memory, cpu_policy::dedicated));
  instance.cells.front().cpu_thread_policy = threads;
  return instance;
}

instance_topology shared(std::vector<cpu_number> vcpus, std::int64_t memory = 1024) {
  instance_topology instance;
  instance.cells.push_back(cell(0, std::move(vcpus), memory, cpu_policy::shared));
  return instance;
}

pci_pools pools(std::string_view text) {
  return **read_pci_pools(json::parse(text));
}
pci_requests requests(std::string_view text) {
  return *read_pci_requests(json::parse(text));
}

bool fits_host(const host_topology& on, const instance_topology& instance, const fit_terms& terms = {}) {
  const outcome<bool> fitting = fits(&on, &instance, terms);
  EXPECT_TRUE(fitting) << fitting.error().sentence;
  return fitting && *fitting;
}

std::optional<instance_topology> fitted(const host_topology& on, instance_topology instance,
                                        const fit_terms& terms = {}) {
  auto result = fit(&on, &instance, terms);
  EXPECT_TRUE(result) << result.error().sentence;
  return result ? *result : std::nullopt;
}

TEST(NumaFit, GoesToTheCellWithTheMostFreeDedicatedCpusFirst) {
  const auto result = fitted(host(), dedicated({0}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.front().id, 0);
}

TEST(NumaFit, GoesToTheFullestCellFirstWhereCellsAreToBePacked) {
  fit_terms terms;
  terms.packing_host_numa_cells_allocation_strategy = true;
  const auto result = fitted(host(), dedicated({0}), terms);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.front().id, 1);
}

TEST(NumaFit, PrefersFreeMemoryAmongCellsWithEqualUseOfSharedCpus) {
  host_topology on = host();
  EXPECT_EQ(fitted(on, shared({0}))->cells.front().id, 0);
  on.cells[0].memory_usage = 2048;
  EXPECT_EQ(fitted(on, shared({0}))->cells.front().id, 1);
  on.cells[1].cpu_usage = 1;
  EXPECT_EQ(fitted(on, shared({0}))->cells.front().id, 0);
}

fit_terms ocata_terms() {
  fit_terms terms;
  terms.rules = release::ocata;
  return terms;
}

// As hosts told of themselves before CPUs had one use: all for both.
host_topology host_without_dedicated_cpus(const char* siblings) {
  json::value value = two_cells();
  for (json::value& each : value.at("nova_object.data").at("cells").as_array()) {
    auto& cell = each.at("nova_object.data").as_object();
    cell.erase("pcpuset");
    if (siblings != nullptr) cell["siblings"] = json::parse(siblings);
  }
  return host(value);
}

TEST(NumaFitOfOcata, TriesTheCellsInTheHostsOrder) {
  host_topology on = host_without_dedicated_cpus(nullptr);
  on.cells[0].pinned_cpus = cpu_set(std::vector<cpu_number>{0, 1});
  on.cells[0].count_free();
  EXPECT_EQ(fitted(on, dedicated({0}))->cells.front().id, 1);
  EXPECT_EQ(fitted(on, dedicated({0}), ocata_terms())->cells.front().id, 0);
}

TEST(NumaFitOfOcata, PinsToCpusOfHostsThatTellOfNoCores) {
  const host_topology on = host_without_dedicated_cpus("[]");
  const auto placed = fitted(on, dedicated({0, 1}), ocata_terms());
  ASSERT_TRUE(placed);
  EXPECT_THAT(*placed->cells.front().cpu_pinning, ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_FALSE(fits_host(on, dedicated({0}, 1024, cpu_thread_policy::require), ocata_terms()));
  EXPECT_FALSE(fits_host(on, dedicated({0, 1, 2, 3, 4}), ocata_terms()));
}

TEST(NumaFitOfOcata, TakesNoHostWithoutPciStatsForAnInstanceThatAsksForDevices) {
  const auto wanted = requests(R"([{"count": 1, "spec": [{"vendor_id": "8086"}]}])");
  fit_terms terms = ocata_terms();
  terms.requests = &wanted;
  EXPECT_FALSE(fits_host(host(), shared({0}), terms));
  terms.rules = release::zed;
  EXPECT_TRUE(fits_host(host(), shared({0}), terms));
}

TEST(NumaUsageOfOcata, CountsDedicatedCpusAmongThoseInUse) {
  const host_topology on = host_without_dedicated_cpus(nullptr);
  const auto isolated = fitted(on, dedicated({0}, 1024, cpu_thread_policy::isolate), ocata_terms());
  ASSERT_TRUE(isolated);
  const auto used = usage_with(on, &*isolated, usage_change::add, release::ocata);
  ASSERT_TRUE(used);
  EXPECT_EQ(used->cells[0].cpu_usage, 2);  // both threads of its core
  EXPECT_EQ(used->cells[0].mempages[0].used, 0);
}

TEST(NumaFit, NeedsAHostCellForEachCellOfTheInstance) {
  instance_topology instance = shared({0});
  instance.cells.push_back(cell(1, {1}, 1024, cpu_policy::shared));
  EXPECT_TRUE(fits_host(host(), instance));
  instance.cells.push_back(cell(2, {2}, 1024, cpu_policy::shared));
  EXPECT_FALSE(fits_host(host(), instance));
}

TEST(NumaFit, DoesNotOvercommitDedicatedCpus) {
  EXPECT_TRUE(fits_host(host(), dedicated({0, 1, 2, 3})));
  EXPECT_FALSE(fits_host(host(), dedicated({0, 1, 2, 3, 4})));
}

TEST(NumaFit, AllowsSharedCpusAndMemoryUpToTheAllocationRatios) {
  host_topology full = host();
  for (host_cell& each : full.cells) {
    each.cpu_usage = 4;
    each.memory_usage = 4096;
    for (page_pool& pages : each.mempages) pages.total = 4096 * 256;
  }
  numa_limits limits;
  limits.cpu_allocation_ratio = 2;
  limits.ram_allocation_ratio = 1.5;
  fit_terms terms;
  terms.limits = &limits;
  EXPECT_TRUE(fits_host(full, shared({0, 1, 2, 3}, 2048), terms));
  EXPECT_FALSE(fits_host(full, shared({0, 1, 2, 3}, 2049), terms));
  limits.cpu_allocation_ratio = 1;
  EXPECT_FALSE(fits_host(full, shared({0}, 1), terms));
  terms.limits = nullptr;
  EXPECT_TRUE(fits_host(full, shared({0}, 1), terms));
}

TEST(NumaFit, FillsCoresWhereThreadsAreRequired) {
  const auto result = fitted(host(), dedicated({0, 1}, 1024, cpu_thread_policy::require));
  ASSERT_TRUE(result);
  EXPECT_THAT(*result->cells.front().cpu_pinning, ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_FALSE(fits_host(host_without_threads(), dedicated({0, 1}, 1024, cpu_thread_policy::require)));
}

TEST(NumaFit, GivesEachIsolatedCpuACore) {
  const auto result = fitted(host(), dedicated({0, 1}, 1024, cpu_thread_policy::isolate));
  ASSERT_TRUE(result);
  EXPECT_THAT(*result->cells.front().cpu_pinning, ElementsAre(Pair(0, 0), Pair(1, 2)));
  EXPECT_FALSE(fits_host(host(), dedicated({0, 1, 2}, 1024, cpu_thread_policy::isolate)));
}

TEST(NumaFit, ReservesACpuForIsolatedEmulatorThreads) {
  instance_topology instance = dedicated({0, 1, 2});
  instance.emulator_threads_policy = "isolate";
  const auto result = fitted(host(), instance);
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->cells.front().cpuset_reserved);
  EXPECT_THAT(result->cells.front().cpuset_reserved->cpus(), ElementsAre(3));
  instance.cells.front().pcpuset = cpu_set(std::vector<cpu_number>{0, 1, 2, 3});
  EXPECT_FALSE(fits_host(host(), instance));
}

TEST(NumaFit, TakesLargePagesFromThoseThatAreFree) {
  instance_topology instance = shared({0}, 2048);
  instance.cells.front().pagesize = -2;
  const auto result = fitted(host(), instance);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.front().id, 0);  // the other cell has 1 GiB of them left
  EXPECT_EQ(result->cells.front().pagesize, 2048);
  instance.cells.front().memory = 2049;  // no whole number of pages
  EXPECT_FALSE(fits_host(host(), instance));
  instance.cells.front().pagesize = 1048576;  // no such pages
  EXPECT_FALSE(fits_host(host(), instance));
}

// What Nova remembers of a pair of cells goes by ids that it overwrites: the first cell, once tried on the host's cell
// 1, goes by the second one's id, and is refused cell 0 because the second one was.
TEST(NumaFit, RefusesWhatWouldFitWhereAnotherCellsRefusalIsRememberedUnderItsId) {
  host_topology on = host();
  on.cells[0].mempages.resize(1);  // small pages alone
  on.cells[0].count_free();
  instance_topology instance = shared({0});
  instance.cells.push_back(cell(1, {1}, 1024, cpu_policy::shared));
  instance.cells[1].pagesize = 2048;
  EXPECT_TRUE(fits_host(on, instance));
  std::swap(on.cells[0], on.cells[1]);
  EXPECT_FALSE(fits_host(on, instance));
}

TEST(NumaFit, RefusesPhysicalNetworksThatAreNearOtherCellsOnly) {
  host_topology on = host();
  on.cells[1].network_metadata = network_metadata{{"near"}, false};
  numa_limits limits;
  limits.network_metadata = network_metadata{{"near"}, false};
  fit_terms terms;
  terms.limits = &limits;
  const auto result = fitted(on, shared({0}), terms);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.front().id, 1);
  limits.network_metadata->physnets = {"nowhere"};
  EXPECT_TRUE(fits_host(on, shared({0}), terms));
  limits.network_metadata->physnets = {"near"};
  on.cells[1].memory_usage = 4096;
  EXPECT_FALSE(fits_host(on, shared({0}), terms));
}

TEST(NumaFit, ChoosesTheCellOfPciDevicesWithTheRequiredPolicy) {
  const pci_pools has = pools(R"([{"vendor_id": "8086", "product_id": "1520", "numa_node": 1, "count": 1}])");
  const pci_requests wanted = requests(R"([{"count": 1, "numa_policy": "required", "spec": [{"vendor_id": "8086"}]}])");
  fit_terms terms;
  terms.pools = &has;
  terms.requests = &wanted;
  const auto result = fitted(host(), dedicated({0}), terms);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.front().id, 1);
  EXPECT_FALSE(fits_host(host(), dedicated({0, 1, 2, 3}), terms));
}

TEST(NumaFit, RaisesWhereAHostHasNoCoresToPinTo) {
  host_topology on = host();
  for (host_cell& each : on.cells) {
    each.siblings = {};
    each.count_free();
  }
  const instance_topology instance = dedicated({0});
  const outcome<bool> fitting = fits(&on, &instance, {});
  ASSERT_FALSE(fitting);
  EXPECT_EQ(fitting.error().kind, "ValueError");
  EXPECT_THAT(fitting.error().sentence, HasSubstr("cell 0 of the host"));
  EXPECT_TRUE(fits_host(on, shared({0})));
}

TEST(NumaUsage, CountsMemoryPagesAndPinnedCpusAndFreesThemAgain) {
  instance_topology instance = dedicated({0, 1}, 512);
  instance.cells.front().pagesize = 2048;
  const auto placed = fitted(host(), instance);
  ASSERT_TRUE(placed);
  const host_topology before = host();
  const auto used = usage_with(before, &*placed);
  ASSERT_TRUE(used);
  EXPECT_EQ(used->cells[0].memory_usage, 512);
  EXPECT_EQ(used->cells[0].mempages[1].used, 256);
  EXPECT_THAT(used->cells[0].pinned_cpus.cpus(), ElementsAre(0, 1));
  EXPECT_EQ(used->cells[0].free_pcpus, 2U);
  const auto freed = usage_with(*used, &*placed, usage_change::free);
  ASSERT_TRUE(freed);
  EXPECT_TRUE(freed->cells[0].pinned_cpus.empty());
  EXPECT_EQ(freed->cells[0].mempages[1].used, 0);
}

TEST(NumaUsage, TakesWholeCoresForIsolatedCpus) {
  const auto placed = fitted(host(), dedicated({0}, 512, cpu_thread_policy::isolate));
  ASSERT_TRUE(placed);
  const auto used = usage_with(host(), &*placed);
  ASSERT_TRUE(used);
  EXPECT_THAT(used->cells[0].pinned_cpus.cpus(), ElementsAre(0, 1));
}

TEST(NumaUsage, NamesACpuThatIsPinnedAlready) {
  instance_topology instance = dedicated({0});
  instance.cells.front().id = 1;
  instance.cells.front().cpu_pinning = {{0, 4}};
  const auto used = usage_with(host(), &instance);
  ASSERT_FALSE(used);
  EXPECT_EQ(used.error().kind, "CPUPinningInvalid");
  EXPECT_THAT(used.error().sentence, HasSubstr("CPU 4 of the host's cell 1"));
}

TEST(NumaTopologies, WritesTopologiesAsNovaReadsThem) {
  const auto again = read_host_topology(to_json(host()));
  ASSERT_TRUE(again && *again);
  EXPECT_EQ(json::serialize(to_json(**again)), json::serialize(to_json(host())));
  EXPECT_EQ(to_json(host()).at("nova_object.name").as_string(), "NUMATopology");
}

TEST(NumaTopologies, RefusesInvalidTopologiesAndNamesTheField) {
  json::value value = two_cells();
  value.at("nova_object.data").at("cells").at(0).at("nova_object.data").at("pcpuset") = json::array{1, 70000};
  const auto read = read_host_topology(value);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().sentence, HasSubstr("NUMACell.pcpuset = [1,70000]"));
}

TEST(NumaTopologyFilter, RefusesHostsWithoutATopologyOrWithoutTheThreadsRequired) {
  const instance_topology instance = shared({0});
  numa_wishes wishes;
  wishes.topology = &instance;
  EXPECT_FALSE(*passes_numa_topology(wishes, {}));
  const host_topology threadless = host_without_threads();
  const numa_supply supply{&threadless, nullptr, 16.0, 1.5};
  EXPECT_TRUE(*passes_numa_topology(wishes, supply));
  wishes.requires_threads = true;
  EXPECT_FALSE(*passes_numa_topology(wishes, supply));
}

TEST(NumaTopologyFilter, LeavesTheLimitsItKeptToOnTheHost) {
  const instance_topology instance = shared({0});
  numa_wishes wishes;
  wishes.topology = &instance;
  const host_topology on = host();
  const auto limits = numa_limits_of(wishes, {&on, nullptr, 16.0, 1.5});
  ASSERT_TRUE(limits && *limits);
  EXPECT_EQ((*limits)->cpu_allocation_ratio, 16.0);
  EXPECT_EQ((*limits)->ram_allocation_ratio, 1.5);
}

constexpr auto some_pools = R"([
  {"vendor_id": "8086", "product_id": "1520", "numa_node": 0, "dev_type": "type-VF", "physical_network": "Net", "count": 2},
  {"vendor_id": "8086", "product_id": "1521", "numa_node": 1, "dev_type": "type-PF", "count": 1}])";

bool serves(std::string_view wanted, std::vector<std::int64_t> cells = {}) {
  const std::vector<cell_socket> sockets = {{0, 0}, {1, 0}, {2, 1}};
  const auto served = supports(pools(some_pools), requests(wanted), {cells, sockets});
  EXPECT_TRUE(served);
  return served && *served;
}

TEST(PciRequests, MatchesTextsInAnyCase) {
  EXPECT_TRUE(serves(R"([{"count": 2, "spec": [{"physical_network": "nET"}]}])"));
  EXPECT_FALSE(serves(R"([{"count": 3, "spec": [{"physical_network": "net"}]}])"));
}

TEST(PciRequests, ServesRequestsOneAfterAnotherFromTheDevicesLeft) {
  EXPECT_TRUE(
      serves(R"([{"count": 1, "spec": [{"product_id": "1520"}]}, {"count": 1, "spec": [{"product_id": "1520"}]}])"));
  EXPECT_FALSE(
      serves(R"([{"count": 2, "spec": [{"product_id": "1520"}]}, {"count": 1, "spec": [{"product_id": "1520"}]}])"));
}

TEST(PciRequests, GivesPhysicalFunctionsOnlyToRequestsForThem) {
  EXPECT_FALSE(serves(R"([{"count": 1, "spec": [{"product_id": "1521"}]}])"));
  EXPECT_TRUE(serves(R"([{"count": 1, "spec": [{"product_id": "1521", "dev_type": "type-PF"}]}])"));
}

TEST(PciRequests, FollowsTheNumaPolicyOfEachRequest) {
  const auto of = [](std::string_view policy) {
    return R"([{"count": 1, "numa_policy": ")" + std::string(policy) + R"(", "spec": [{"product_id": "1520"}]}])";
  };
  EXPECT_TRUE(serves(of("required"), {0}));
  EXPECT_FALSE(serves(of("required"), {1}));
  EXPECT_FALSE(serves(of("legacy"), {1}));
  EXPECT_TRUE(serves(of("preferred"), {1}));
  EXPECT_TRUE(serves(of("socket"), {1}));
  EXPECT_FALSE(serves(of("socket"), {2}));
}

TEST(PciRequests, KeepsEarlierRequestsServedWhenOneCannotBeServed) {
  pci_pools left = pools(some_pools);
  const auto wanted = requests(R"([{"count": 2, "spec": [{"product_id": "1520"}]}, {"count": 9, "spec": [{}]}])");
  const auto error = take(left, wanted, {});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, "PciDeviceRequestFailed");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().find("product_id")->value.as_string(), "1521");
}

TEST(PciPassthroughFilter, PassesHostsWithoutPoolsOnlyWhereNothingIsAsked) {
  EXPECT_TRUE(*passes_pci_passthrough(std::nullopt, {}));
  EXPECT_FALSE(*passes_pci_passthrough(std::nullopt, requests(R"([{"count": 1, "spec": [{}]}])")));
  EXPECT_TRUE(*passes_pci_passthrough(pools(some_pools), requests(R"([{"count": 1, "spec": [{}]}])")));
}

TEST(PciPassthroughFilter, RaisesForARequestWithoutSpecifications) {
  const auto served = passes_pci_passthrough(pools(some_pools), requests(R"([{"count": 1}])"));
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().sentence, "InstancePCIRequest.spec is not set");
}

TEST(PlacedInstances, TakesCellsAndDevicesAndCarriesTheFitToTheNextInstance) {
  std::optional<host_topology> on = host();
  std::optional<pci_pools> has = pools(some_pools);
  std::optional<instance_topology> instance = dedicated({0, 1, 2, 3});
  const auto wanted = requests(R"([{"count": 1, "spec": [{"product_id": "1520"}]}])");
  EXPECT_FALSE(consume(on, has, instance, wanted, nullptr, false));
  EXPECT_EQ(on->cells[0].free_pcpus, 0U);
  EXPECT_EQ(has->front().count, 1);
  ASSERT_TRUE(instance);
  EXPECT_TRUE(instance->cells.front().cpu_pinning);

  EXPECT_FALSE(consume(on, has, instance, {}, nullptr, false));  // it fits nowhere any more, which is no error
  EXPECT_FALSE(instance);
}

}  // namespace
}  // namespace filter_driver
