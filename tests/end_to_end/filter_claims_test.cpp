// SPDX-License-Identifier: Apache-2.0
//
// NUMA cells and PCI devices are given out once: between the instances of a request, between requests before the host
// has reported, and again when they are released or reported free. The filter driver in a real gantryd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/encoding/json.hpp"
#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Four CPUs, two cores of two threads; `pinned` of them are taken.
std::string one_cell(const std::string& pinned = "") {
  return R"({"nova_object.name": "NUMATopology", "nova_object.data": {"cells": [{"nova_object.name": "NUMACell",
    "nova_object.data": {"id": 0, "socket": 0, "cpuset": [0, 1, 2, 3], "pcpuset": [0, 1, 2, 3],
      "pinned_cpus": [)" +
         pinned + R"(], "siblings": [[0, 1], [2, 3]], "memory": 8192, "cpu_usage": 0, "memory_usage": 0,
      "mempages": [{"nova_object.name": "NUMAPagesTopology", "nova_object.data": {"size_kb": 4, "total": 2097152,
        "used": 0}}]}}]}})";
}

std::string pool_of(int devices) {
  if (devices == 0) return "[]";
  return R"([{"vendor_id": "8086", "product_id": "154d", "numa_node": null, "count": )" + std::to_string(devices) +
         "}]";
}

constexpr auto one_device = R"("pci_requests": [{"count": 1, "spec": [{"vendor_id": "8086", "product_id": "154d"}]}])";
constexpr auto two_cpus = R"("numa_topology": {"nova_object.name": "InstanceNUMATopology", "nova_object.data":
  {"cells": [{"nova_object.name": "InstanceNUMACell", "nova_object.data": {"id": 0, "cpuset": [], "pcpuset": [0, 1],
    "memory": 512, "pagesize": null, "cpu_policy": "dedicated", "cpu_thread_policy": null}}]}})";

class FilterClaims : public ::testing::Test {
 protected:
  FilterClaims() {
    gantry.configure("[\"filter\"]",
                     "[driver.filter]\nenabled_filters = [\"ComputeFilter\", \"CoreFilter\", \"RamFilter\", "
                     "\"DiskFilter\", \"NUMATopologyFilter\", \"PciPassthroughFilter\"]\n");
    gantry.start();
    call("service_register", R"({"topic": "compute", "host": "only", "binary": "nova-compute"})");
  }
  std::string call(const std::string& method, const std::string& args) const {
    gantry::testing::RawConnection connection(gantry.socket_path());
    connection.send(gantry::testing::post(method, R"({"args": )" + args + "}"));
    const auto answer = connection.answer();
    return answer ? answer->body : "no answer";
  }
  void report(const std::string& topology, const std::string& pools, const std::string& instances = "[]") const {
    const auto answer = call("update_resource_stats",
                             R"({"name": "only", "stats": {"vcpus": 64, "vcpus_used": 0, "memory_mb": 65536,
      "memory_mb_used": 0, "local_gb": 1000, "local_gb_used": 0, "hypervisor_hostname": "only", "numa_topology": )" +
                                 topology + R"(, "pci_stats": )" + pools + R"(, "instances": )" + instances + "}}");
    EXPECT_THAT(answer, ::testing::Not(HasSubstr("error")));
  }
  static std::string uuid(int number) { return "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0b0" + std::to_string(number); }
  // What select_destinations says for instances of these numbers, each with what it wants.
  std::string select(const std::vector<int>& instances, const std::string& wanted) const {
    std::string uuids;
    for (const int number : instances) uuids += (uuids.empty() ? "\"" : ", \"") + uuid(number) + "\"";
    return call("select_destinations", R"({"request_spec": {"num_instances": )" + std::to_string(instances.size()) +
                                           R"(, "instance_uuids": [)" + uuids + R"(], "image": {"properties": {}},
      "instance_type": {"vcpus": 2, "memory_mb": 512, "root_gb": 1, "extra_specs": {}}, )" +
                                           wanted + "}}");
  }
  static bool placed(const std::string& answer) { return answer.find("\"host\":\"only\"") != std::string::npos; }
  void release(int instance) const {
    EXPECT_THAT(call("release_claims", R"({"instance_uuid": ")" + uuid(instance) + "\"}"), HasSubstr("result"));
  }

  RunningGantry gantry;
};

TEST_F(FilterClaims, TheLastDeviceGoesToOneOfTwoRequests) {
  report("null", pool_of(1));
  const auto first = select({1}, one_device);
  EXPECT_TRUE(placed(first)) << first;
  EXPECT_THAT(select({2}, one_device), AllOf(HasSubstr("No valid host"), HasSubstr("PciPassthroughFilter")));
  release(1);
  const auto after_release = select({2}, one_device);
  EXPECT_TRUE(placed(after_release)) << after_release;
  report("null", pool_of(0), "[\"" + uuid(2) + "\"]");  // ends the claim, and shows the device as taken
  EXPECT_FALSE(placed(select({3}, one_device)));
  report("null", pool_of(1));
  const auto after_report = select({3}, one_device);
  EXPECT_TRUE(placed(after_report)) << after_report;
}

TEST_F(FilterClaims, DedicatedCpusAreClaimedOneByOne) {
  report(one_cell(), "[]");
  for (const int number : {1, 2}) {
    const auto answer = select({number}, two_cpus);
    EXPECT_TRUE(placed(answer)) << answer;
  }
  std::multiset<std::string> cpus;
  for (const auto& claim : gantry.list({"claim", "list"})) {
    const auto text = json::write(claim);
    for (const auto* const cpu : {"numa.cpu.0", "numa.cpu.1", "numa.cpu.2", "numa.cpu.3"}) {
      if (text.find(std::string("\"") + cpu + "\"") != std::string::npos) cpus.insert(cpu);
    }
  }
  EXPECT_THAT(cpus, ::testing::ElementsAre("numa.cpu.0", "numa.cpu.1", "numa.cpu.2", "numa.cpu.3"));
  EXPECT_THAT(select({3}, two_cpus), AllOf(HasSubstr("No valid host"), HasSubstr("NUMATopologyFilter")));
  release(1);
  const auto again = select({3}, two_cpus);
  EXPECT_TRUE(placed(again)) << again;
  report(one_cell("0, 1, 2"), "[]", "[\"" + uuid(2) + "\", \"" + uuid(3) + "\"]");
  EXPECT_FALSE(placed(select({4}, two_cpus)));
  report(one_cell("0"), "[]");
  EXPECT_TRUE(placed(select({4}, two_cpus)));
}

TEST_F(FilterClaims, InstancesOfOneRequestShareWhatThereIs) {
  report(one_cell(), pool_of(2));
  EXPECT_THAT(select({1, 2, 3}, one_device), AllOf(HasSubstr("No valid host"), HasSubstr("PciPassthroughFilter")));
  EXPECT_TRUE(placed(select({1, 2}, one_device)));
  EXPECT_THAT(select({4, 5, 6}, two_cpus), AllOf(HasSubstr("No valid host"), HasSubstr("NUMATopologyFilter")));
  EXPECT_TRUE(placed(select({4, 5}, two_cpus)));
  EXPECT_THAT(select({7}, two_cpus), HasSubstr("No valid host"));
}

TEST_F(FilterClaims, ConcurrentRequestsNeverGetMoreDevicesThanThereAre) {
  report("null", pool_of(4));
  std::vector<std::string> answers(9);
  std::vector<std::thread> callers;
  callers.reserve(answers.size());
  for (std::size_t at = 0; at < answers.size(); ++at)
    callers.emplace_back([&, at] { answers[at] = select({static_cast<int>(at)}, one_device); });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(std::count_if(answers.begin(), answers.end(), placed), 4);
}

}  // namespace
}  // namespace gantry::test
