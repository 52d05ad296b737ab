// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

constexpr std::string_view full_report = R"({
  "uuid": "cf86a4dd-f56a-4566-9abe-f04d713a40d8", "vcpus": 8, "memory_mb": 16384, "local_gb": 100,
  "vcpus_used": 2, "memory_mb_used": 1024, "local_gb_used": 10, "free_ram_mb": 15360, "free_disk_gb": 90,
  "disk_available_least": 85, "running_vms": 1, "current_workload": 0, "hypervisor_type": "QEMU",
  "hypervisor_version": 7002000, "host_ip": "192.0.2.1", "cpu_allocation_ratio": 4.0, "ram_allocation_ratio": 0,
  "cpu_info": "{\"arch\": \"x86_64\", \"features\": [\"pge\"]}", "supported_instances": "[[\"x86_64\", \"kvm\", \"hvm\"]]",
  "pci_stats": null, "numa_topology": null, "metrics": "[]", "stats": "{\"io_workload\": \"1\"}", "rack": "r7"})";

TEST(FleetComputeNodes, EachReportedFieldIsInItsColumn) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", full_report, noon));
  const auto row = row_of(fleet.pin(noon), "h1", "n1");
  EXPECT_EQ(row.at("uuid"), "cf86a4dd-f56a-4566-9abe-f04d713a40d8");
  EXPECT_EQ(row.at("vcpus"), 8);
  EXPECT_EQ(row.at("local_gb"), 100);
  EXPECT_EQ(row.at("vcpus_used"), 2.0);
  EXPECT_EQ(row.at("free_ram_mb"), 15360.0);
  EXPECT_EQ(row.at("disk_available_least"), 85);
  EXPECT_EQ(row.at("hypervisor_type"), "QEMU");
  EXPECT_EQ(row.at("hypervisor_version"), 7002000);
  EXPECT_EQ(row.at("host_ip"), "192.0.2.1");
  EXPECT_EQ(row.at("updated_at"), noon);
  EXPECT_EQ(row.at("cpu_info").at("arch"), "x86_64");
  EXPECT_EQ(row.at("supported_instances").at(0).at(1), "kvm");
  EXPECT_TRUE(row.at("metrics").is_array());
  EXPECT_EQ(row.at("stats").at("io_workload"), "1");
  EXPECT_FALSE(row.contains("pci_stats"));
  EXPECT_FALSE(row.contains("numa_topology"));
}

TEST(FleetComputeNodes, AnAbsentOrZeroRatioIsTheConfiguredOne) {
  FleetSettings settings;
  settings.ram_allocation_ratio = 1.25;
  settings.disk_allocation_ratio = 0.9;
  Fleet fleet(settings);
  put(fleet, report("h1", "n1", full_report));
  fleet.put_service(service("h2"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(row_of(moment, "h1", "n1").at("cpu_allocation_ratio"), 4.0);
  EXPECT_EQ(row_of(moment, "h1", "n1").at("ram_allocation_ratio"), 1.25);
  EXPECT_EQ(row_of(moment, "h1", "n1").at("disk_allocation_ratio"), 0.9);
  EXPECT_EQ(row_of(moment, "h2").at("cpu_allocation_ratio"), 16.0);
}

TEST(FleetComputeNodes, AReportIsMergedOverWhatWasKnownAndNullRemovesAKey) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", R"({"vcpus":8,"memory_mb":1024,"stats":{"a":"1"},"rack":"r7"})"));
  ComputeNode merged;
  ClaimChanges changes;
  const auto before = fleet.put_compute_node(
      report("h1", "n1", R"({"vcpus":null,"memory_mb":2048,"rack":"r8"})", noon + second), merged, changes);
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(json::write_canonical(before->stats), R"({"memory_mb":1024,"rack":"r7","stats":{"a":"1"},"vcpus":8})");
  EXPECT_EQ(before->sampled_at, noon);
  EXPECT_EQ(json::write_canonical(merged.stats), R"({"memory_mb":2048,"rack":"r8","stats":{"a":"1"}})");
  EXPECT_EQ(merged.sampled_at, noon + second);
  const auto row = row_of(fleet.pin(noon), "h1", "n1");
  EXPECT_FALSE(row.contains("vcpus"));
  EXPECT_EQ(row.at("memory_mb"), 2048);
  EXPECT_EQ(row.at("stats").at("a"), "1");
  EXPECT_EQ(json::write_canonical(fleet.compute_node("compute", "h1", "n1")->stats),
            json::write_canonical(merged.stats));
}

TEST(FleetComputeNodes, RestoresARecordWithoutMerging) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", R"({"vcpus":8,"cpu_info":{"arch":"x86_64"}})"));
  fleet.restore_compute_node(report("h1", "n1", R"({"memory_mb":2048})", noon - second));
  const auto row = row_of(fleet.pin(noon), "h1", "n1");
  EXPECT_FALSE(row.contains("vcpus"));
  EXPECT_FALSE(row.contains("cpu_info"));
  EXPECT_EQ(row.at("updated_at"), noon - second);
  EXPECT_EQ(fleet.compute_node("compute", "h1", "n1")->stats.size(), 1u);
}

TEST(FleetComputeNodes, AFieldOfTheWrongTypeIsKeptButHasNoValue) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", R"({"vcpus":[1],"memory_mb":"1024","local_gb":99.9,"host_ip":7,"cpu_info":"not json",
                                    "stats":5,"vcpus_used":"nan"})"));
  const auto row = row_of(fleet.pin(noon), "h1", "n1");
  EXPECT_FALSE(row.contains("vcpus"));
  EXPECT_EQ(row.at("memory_mb"), 1024);
  EXPECT_EQ(row.at("local_gb"), 99);
  EXPECT_FALSE(row.contains("host_ip"));
  EXPECT_FALSE(row.contains("cpu_info"));
  EXPECT_FALSE(row.contains("stats"));
  EXPECT_FALSE(row.contains("vcpus_used"));
  EXPECT_EQ(fleet.compute_node("compute", "h1", "n1")->stats.at("cpu_info"), "not json");
}

TEST(FleetComputeNodes, ARecordWithoutANodeIsTheHostsOwnRow) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  put(fleet, report("h1", "", R"({"vcpus":2})"));
  EXPECT_EQ(fleet.pin(noon).view("compute")->rows, 1u);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("vcpus"), 2);
  put(fleet, report("h1", "n1", R"({"vcpus":4})"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(moment.view("compute")->rows, 2u);
  EXPECT_EQ(row_of(moment, "h1").at("vcpus"), 2);
  EXPECT_EQ(row_of(moment, "h1", "n1").at("vcpus"), 4);
}

TEST(FleetComputeNodes, ARemovedRowIsFilledByTheLast) {
  Fleet fleet({});
  for (const auto* host : {"h1", "h2", "h3"}) put(fleet, report(host, "n", R"({"vcpus":1,"cpu_info":{"a":1}})"));
  const auto before = fleet.pin(noon);
  EXPECT_TRUE(fleet.remove_compute_node("compute", "h1", "n").has_value());
  EXPECT_FALSE(fleet.remove_compute_node("compute", "h1", "n").has_value());
  const auto after = fleet.pin(noon);
  EXPECT_EQ(after.view("compute")->rows, 2u);
  EXPECT_EQ(after.row_name(*after.view("compute"), 0).host, "h3");
  EXPECT_EQ(row_of(after, "h3", "n").at("cpu_info").at("a"), 1);
  EXPECT_EQ(before.row_name(*before.view("compute"), 0).host, "h1");
  EXPECT_EQ(before.view("compute")->rows, 3u);
}

TEST(FleetComputeNodes, EqualTextsOfManyHostsHaveOneVersion) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"cpu_info":"{\"a\": 1, \"b\": 2}"})"));
  put(fleet, report("h2", "n", R"({"cpu_info":{"b":2,"a":1}})"));
  put(fleet, report("h3", "n", R"({"cpu_info":{"b":3,"a":1}})"));
  const auto moment = fleet.pin(noon);
  const auto* column = moment.column(*moment.view("compute"), "cpu_info");
  const auto* cells = static_cast<const gantry_json*>(column->values);
  EXPECT_EQ(cells[0].version, cells[1].version);
  EXPECT_NE(cells[0].version, cells[2].version);
  EXPECT_NE(cells[0].version, 0u);
}

TEST(FleetComputeNodes, AReportThatSaysTheSameKeepsTheVersionOfItsTexts) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"stats":{"a":"1"}})"));
  const auto version = [](const Moment& moment) {
    return static_cast<const gantry_json*>(moment.column(*moment.view("compute"), "stats")->values)[0].version;
  };
  const auto first = version(fleet.pin(noon));
  put(fleet, report("h1", "n", R"({"stats":"{\"a\": \"1\"}"})"));
  EXPECT_EQ(version(fleet.pin(noon)), first);
  put(fleet, report("h1", "n", R"({"stats":{"a":"2"}})"));
  EXPECT_NE(version(fleet.pin(noon)), first);
}

}  // namespace
}  // namespace gantry::fleet::testing
