// SPDX-License-Identifier: Apache-2.0
//
// Fits to NUMA topologies and PCI pools where releases after Zed differ from the ones before.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "numa/fit.hpp"
#include "numa/topology_json.hpp"
#include "numa/usage.hpp"
#include "pci/supply.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

instance_topology cell_of(cpu_policy policy, std::vector<cpu_number> shared, std::vector<cpu_number> pinned,
                          std::int64_t memory) {
  instance_topology instance;
  instance_cell& only = instance.cells.emplace_back();
  only.memory = memory;
  only.cpu_policy = policy;
  only.cpuset = cpu_set(std::move(shared));
  only.pcpuset = cpu_set(std::move(pinned));
  return instance;
}
instance_topology all_dedicated(std::vector<cpu_number> vcpus, std::int64_t memory) {
  return cell_of(cpu_policy::dedicated, {}, std::move(vcpus), memory);
}
instance_topology all_shared(std::vector<cpu_number> vcpus, std::int64_t memory) {
  return cell_of(cpu_policy::shared, std::move(vcpus), {}, memory);
}
instance_topology mixed(std::vector<cpu_number> vcpus, std::vector<cpu_number> pinned, std::int64_t memory) {
  return cell_of(cpu_policy::mixed, std::move(vcpus), std::move(pinned), memory);
}

pci_pools later_pools(std::string_view text) {
  return **read_pci_pools(json::parse(text));
}
pci_requests later_requests(std::string_view text) {
  return *read_pci_requests(json::parse(text));
}

// The releases of which the test is true or false, by the first of which it is true.
template <class Test>
void holds_from(std::string_view first, Test test) {
  bool is_since = true;
  for (const auto each : release::all) {
    EXPECT_EQ(test(each), is_since) << each->name;
    is_since = is_since && each->name != first;
    if (each->name == "zed") break;
  }
}

// The host of the reference's examples: shared CPUs 0 and 1, dedicated CPUs 2 and 3, and 512 of 2048 MiB used, which is
// half of its small pages.
host_topology half_used_cell(bool has_pages = true, std::int64_t memory_usage = 512) {
  json::value value = json::parse(R"({"nova_object.name": "NUMATopology", "nova_object.data": {"cells": [
    {"nova_object.name": "NUMACell", "nova_object.data": {"id": 0, "socket": 0,
      "cpuset": [0, 1], "pcpuset": [2, 3], "pinned_cpus": [], "siblings": [[0], [1], [2], [3]],
      "memory": 2048, "cpu_usage": 0, "memory_usage": 512, "mempages": [
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 4, "total": 262144, "used": 131072}},
        {"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 1048576, "total": 1, "used": 0}}]}}
  ]}})");
  json::value& only = value.at("nova_object.data").at("cells").at(0).at("nova_object.data");
  only.as_object()["memory_usage"] = memory_usage;
  if (!has_pages) only.as_object()["mempages"] = json::array();
  return **read_host_topology(value);
}

bool fits_by(release rules, const host_topology& on, const instance_topology& instance) {
  fit_terms terms;
  terms.rules = rules;
  const auto fitting = fits(&on, &instance, terms);
  return fitting && *fitting;
}

TEST(NumaFit, ComparesPinnedMemoryWithFreePagesFromDalmatianOn) {
  const auto on = half_used_cell();
  holds_from("dalmatian", [&on](release by) { return !fits_by(by, on, all_dedicated({0}, 1024)); });
  holds_from("dalmatian", [&on](release by) { return !fits_by(by, on, mixed({0}, {1}, 1024)); });
  for (const auto each : release::all) {
    if (each->fits_numa_as_ocata) continue;
    EXPECT_EQ(fits_by(each, on, all_dedicated({0}, 512)), true) << each->name;
    EXPECT_EQ(fits_by(each, on, all_shared({0}, 1024)), true) << each->name;
  }
}

TEST(NumaFit, ComparesPinnedMemoryWithFreeMemoryOnHostsWithoutPages) {
  const auto on = half_used_cell(false, 1536);
  for (const auto each : {release::zed, release::caracal, release::dalmatian, release::hibiscus}) {
    EXPECT_FALSE(fits_by(each, on, all_dedicated({0}, 1024))) << each->name;
    EXPECT_TRUE(fits_by(each, on, all_dedicated({0}, 512))) << each->name;
    EXPECT_TRUE(fits_by(each, on, all_shared({0}, 1024))) << each->name;
  }
}

TEST(NumaFit, FitsAMixedCellThatPinsNothingFromAntelopeOn) {
  const auto on = half_used_cell(false, 0);
  holds_from("antelope", [&on](release by) { return fits_by(by, on, mixed({0}, {}, 512)); });
  auto isolated = mixed({0}, {}, 512);
  isolated.cells.front().cpu_thread_policy = cpu_thread_policy::isolate;
  EXPECT_FALSE(fits_by(release::hibiscus, on, isolated));
}

TEST(NumaUsage, CountsAMixedCellThatPinsNothingFromAntelopeOn) {
  const auto on = half_used_cell();
  const auto instance = mixed({0}, {}, 512);
  holds_from("antelope", [&](release by) {
    const auto used = usage_with(on, &instance, usage_change::add, by);
    return used && used->cells.front().cpu_usage == 1 && used->cells.front().pinned_cpus.empty();
  });
}

pci_placement placed_by(release rules) {
  return {{}, std::nullopt, rules, true};
}

bool serves_by(release rules, std::string_view of, std::string_view wanted) {
  const auto served = supports(later_pools(of), later_requests(wanted), placed_by(rules));
  return served && *served;
}

constexpr auto placed_pools = R"([
  {"vendor_id": "8086", "product_id": "1", "numa_node": null, "count": 2, "rp_uuid": "dev1"},
  {"vendor_id": "8086", "product_id": "1", "numa_node": null, "count": 1, "rp_uuid": "dev2"},
  {"vendor_id": "8086", "product_id": "1", "numa_node": null, "count": 9}])";

std::string from_providers(std::string_view providers, int count) {
  return R"([{"alias_name": "a", "count": )" + std::to_string(count) + R"(, "spec": [{"vendor_id": "8086",
    "resource_class": "CUSTOM_A", "traits": "CUSTOM_B", "rp_uuids": ")" +
         std::string(providers) + R"("}]}])";
}

TEST(PciRequests, AreServedByTheProvidersThatTheyNameFromAntelopeOn) {
  holds_from("antelope", [](release by) { return serves_by(by, placed_pools, from_providers("dev1", 1)); });
  EXPECT_TRUE(serves_by(release::epoxy, placed_pools, from_providers("dev1,dev2,dev1", 3)));
  EXPECT_FALSE(serves_by(release::epoxy, placed_pools, from_providers("dev2,dev2", 2)));
  EXPECT_FALSE(serves_by(release::epoxy, placed_pools, from_providers("dev3", 1)));
  pci_pools left = later_pools(placed_pools);
  EXPECT_FALSE(take(left, later_requests(from_providers("dev1,dev2", 2)), placed_by(release::epoxy)));
  ASSERT_EQ(left.size(), 2U);  // dev2 is used up
  EXPECT_EQ(left.back().count, 1);
  EXPECT_EQ(left.front().count, 9);
}

TEST(PciRequests, AreNotServedByAProviderInSeveralPoolsFromCaracalOn) {
  constexpr auto split = R"([
    {"vendor_id": "8086", "numa_node": null, "count": 1, "rp_uuid": "dev1"},
    {"vendor_id": "8086", "numa_node": null, "count": 1, "address": "0000:81:00.0", "rp_uuid": "dev1"}])";
  holds_from("caracal", [](release by) {
    return by->pci_requests_may_name_providers ? !serves_by(by, split, from_providers("dev1", 1)) : false;
  });
  EXPECT_TRUE(serves_by(release::hibiscus, split, R"([{"alias_name": "a", "count": 2, "spec": [{}]}])"));
}

TEST(PciRequests, TakeDevicesThatCanBeMigratedLiveOrOthersAsAllAlternativesAskFromEpoxyOn) {
  constexpr auto tagged = R"([
    {"vendor_id": "1", "numa_node": null, "count": 1},
    {"vendor_id": "2", "numa_node": null, "count": 1, "live_migratable": "true"},
    {"vendor_id": "3", "numa_node": null, "count": 1, "live_migratable": "True"}])";
  const auto served_by_vendor = [&](std::string_view vendor, std::string_view asked, release by) {
    return serves_by(by, tagged,
                     R"([{"alias_name": "a", "count": 1, "spec": [{"vendor_id": ")" + std::string(vendor) +
                         R"(", "live_migratable": )" + std::string(asked) + "}]}]");
  };
  EXPECT_TRUE(served_by_vendor("2", R"("true")", release::epoxy));
  EXPECT_FALSE(served_by_vendor("2", R"("false")", release::epoxy));
  EXPECT_FALSE(served_by_vendor("1", R"("true")", release::epoxy));
  // Texts match in any case, but this tag has to be written as it is asked for.
  holds_from("epoxy", [&](release by) { return !served_by_vendor("3", R"("true")", by); });
}

}  // namespace
}  // namespace filter_driver
