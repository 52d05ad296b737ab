// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/host_facts.hpp"

#include <gmock/gmock.h>

namespace gantry::cli::agent {
namespace {

TEST(HostFacts, AreThoseOfThisMachine) {
  auto facts = read_host_facts("/");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_GE(facts->vcpus, 1);
  EXPECT_GT(facts->memory_mb, 0);
  EXPECT_GE(facts->memory_mb_used, 0);
  EXPECT_LE(facts->memory_mb_used, facts->memory_mb);
  EXPECT_GE(facts->local_gb, facts->local_gb_used);
  EXPECT_FALSE(facts->host_ip.empty());
  EXPECT_FALSE(facts->supported_instances.empty());
  EXPECT_FALSE(json::find_string(facts->cpu_info, "arch")->empty());
}

TEST(HostFacts, NeedAPathThatIsThere) {
  auto facts = read_host_facts("/nowhere");
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, testing::HasSubstr("--disk-path /nowhere"));
}

TEST(HostFacts, CountMemoryThatCanBeHadAsFree) {
  auto facts = parse_memory("MemTotal:       16384000 kB\nMemFree: 1 kB\nMemAvailable:   10240000 kB\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->memory_mb, 16000);
  EXPECT_EQ(facts->memory_mb_used, 6000);
  EXPECT_FALSE(parse_memory("nothing here"));
}

TEST(HostFacts, CountSocketsCoresAndThreads) {
  std::string cpus;
  for (int cpu = 0; cpu < 8; ++cpu)
    cpus += "processor\t: " + std::to_string(cpu) +
            "\nvendor_id\t: GenuineTest\nmodel name\t: Test 1\nphysical id\t: " + std::to_string(cpu / 4) +
            "\ncore id\t\t: " + std::to_string(cpu % 4 / 2) + "\nflags\t\t: fpu vmx\n\n";
  const json::object info = parse_cpu_info(cpus, "x86_64");
  EXPECT_EQ(json::write_canonical(info), R"({"arch":"x86_64","features":["fpu","vmx"],"model":"Test 1",)"
                                         R"("topology":{"cores":2,"sockets":2,"threads":2},"vendor":"GenuineTest"})");
}

TEST(Report, CountsWhatInstancesAreEntitledToOnTopOfTheIdleMachine) {
  HostFacts facts;
  facts.vcpus = 4;
  facts.memory_mb = 8000;
  facts.memory_mb_used = 1000;
  facts.local_gb = 100;
  facts.local_gb_used = 10;
  facts.disk_available_least = 85;
  const json::object stats = to_stats(facts, {900, 8}, {3, 2048, 40, 2}, "c1");
  EXPECT_EQ(json::find_integer(stats, "vcpus_used"), 3);
  EXPECT_EQ(json::find_integer(stats, "memory_mb_used"), 2948);
  EXPECT_EQ(json::find_integer(stats, "free_ram_mb"), 5052);
  EXPECT_EQ(json::find_integer(stats, "local_gb_used"), 48);
  EXPECT_EQ(json::find_integer(stats, "free_disk_gb"), 52);
  EXPECT_EQ(json::find_integer(stats, "disk_available_least"), 52);
  EXPECT_EQ(json::find_integer(stats, "running_vms"), 2);
}

TEST(Report, BelievesWhatIsMeasuredIfItIsMore) {
  HostFacts facts;
  facts.memory_mb = 8000;
  facts.memory_mb_used = 7000;
  EXPECT_EQ(json::find_integer(to_stats(facts, {100, 0}, {1, 512, 1, 1}, "c1"), "memory_mb_used"), 7000);
}

}  // namespace
}  // namespace gantry::cli::agent
