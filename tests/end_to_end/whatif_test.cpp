// SPDX-License-Identifier: Apache-2.0
//
// Decisions without a daemon, on fleets from files; and a daemon's fleet taken to a file and decided on there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto example_fleet = GANTRY_SOURCE_DIRECTORY "/config/whatif/fleet.json";
constexpr auto example_request = GANTRY_SOURCE_DIRECTORY "/config/whatif/request.json";

class WhatIf : public ::testing::Test {
 protected:
  // No daemon runs unless a test starts one.
  Ran what_if(const std::vector<std::string>& more, const std::string& input = {}) const {
    std::vector<std::string> words{"--config", gantry.config_file(), "whatif", "--driver", "filter"};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.gantry(words, input);
  }
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = gantry.directory() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  void SetUp() override { gantry.configure(R"(["simple"])"); }

  RunningGantry gantry;
};

// Host names of an answer's destinations.
std::vector<std::string> hosts_of(const json::value& answer) {
  std::vector<std::string> hosts;
  for (const auto& destination : answer.at("destinations").as_array())
    hosts.emplace_back(destination.at("host").as_string());
  return hosts;
}

TEST_F(WhatIf, DecidesOnTheExampleOfTheManualAsTheManualSays) {
  const auto ran = what_if({"--fleet", example_fleet, "--request", example_request, "-o", "json"});
  ASSERT_EQ(ran.exit_status, 0) << ran.err;
  const auto answer = ran.json();
  EXPECT_EQ(hosts_of(answer), std::vector<std::string>{"c3"}) << "c1 has a member of the group, c2 is disabled";
  EXPECT_EQ(answer.at("decision").at("driver").as_string(), "filter");
  EXPECT_EQ(answer.at("decision").at("now").as_string(), "2026-11-21T09:00:00.000000Z");
}

TEST_F(WhatIf, ShowsTheVerdictsOnEachHostUpToTheFirstRejectionAndTheTermsOfEachWeight) {
  const std::vector<std::string> words{"--fleet", example_fleet, "--request", example_request};
  const auto hosts_with = [&](const std::vector<std::string>& more) {
    auto all = words;
    all.insert(all.end(), more.begin(), more.end());
    const auto ran = what_if(all);
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    return ran.json().at("decision").at("instances").at(0).at("hosts").as_array();
  };
  const auto hosts = hosts_with({"-o", "json"});
  ASSERT_EQ(hosts.size(), 4U);
  EXPECT_EQ(hosts[0].at("host").as_string(), "c3");
  EXPECT_EQ(hosts[0].at("rank").as_int64(), 0);
  EXPECT_EQ(hosts[1].at("host").as_string(), "c4");
  double sum = 0;
  for (const auto& term : hosts[1].at("weighers").as_array())
    sum += term.at("normalized").to_number<double>() * term.at("multiplier").to_number<double>();
  EXPECT_DOUBLE_EQ(hosts[1].at("weight").to_number<double>(), sum);
  EXPECT_EQ(hosts[2].at("host").as_string(), "c1");
  EXPECT_EQ(hosts[2].at("rejected_by").as_string(), "ServerGroupAntiAffinityFilter");
  EXPECT_EQ(hosts[2].at("verdicts").as_array().size(), 4U) << "the last is the one against it";
  EXPECT_EQ(hosts_with({"--all-filters", "-o", "json"})[2].at("verdicts").as_array().size(), 9U);

  const auto table = what_if(words);
  EXPECT_THAT(table.out, ContainsRegex("1 +c3 +c3.example.org +1.5 "));
  EXPECT_THAT(table.out, ContainsRegex("c1 +c1.example.org +ServerGroupAntiAffinityFilter +no"));
  EXPECT_THAT(table.out, ContainsRegex("c4 +c4.example.org +RAMWeigher +15872 "));
}

TEST_F(WhatIf, TakesOptionsOfTheDriverAndOfTheSchedulerFromTheCommandLine) {
  const auto ran = what_if({"--fleet", example_fleet, "--request", example_request, "--set",
                            R"(driver.filter.enabled_filters=["ComputeFilter"])", "-o", "json"});
  ASSERT_EQ(ran.exit_status, 0) << ran.err;
  EXPECT_EQ(ran.err, "") << "nothing to warn of";
  EXPECT_EQ(hosts_of(ran.json()), std::vector<std::string>{"c1"}) << "it has the most memory and disk";
  const auto late = what_if({"--fleet", example_fleet, "--request", example_request, "--set",
                             "scheduling.service_down_time=1", "-o", "json"});
  EXPECT_EQ(late.exit_status, 0) << late.err;
  EXPECT_EQ(hosts_of(late.json()), std::vector<std::string>{"c4"}) << "c3's heartbeat is two seconds old";
}

TEST_F(WhatIf, NoHostExitsWithThreeAndSaysWhatEachFilterLeftOver) {
  const auto ran = what_if({"--fleet", example_fleet, "--vcpus", "4000", "--memory-mb", "512"});
  EXPECT_EQ(ran.exit_status, 3);
  EXPECT_THAT(ran.err, HasSubstr("No valid host was found."));
  EXPECT_THAT(ran.err, HasSubstr("CoreFilter"));
  EXPECT_THAT(ran.err, Not(HasSubstr("gantry host list"))) << "there is no daemon to ask";
  EXPECT_THAT(ran.out, ContainsRegex("c3 +c3.example.org +CoreFilter +no"));
  const auto json = what_if({"--fleet", example_fleet, "--vcpus", "4000", "--memory-mb", "512", "-o", "json"}).json();
  EXPECT_TRUE(json.at("destinations").as_array().empty());
  EXPECT_EQ(json.at("decision").at("instances").at(0).at("hosts").as_array().size(), 4U);
}

TEST_F(WhatIf, AnIcehouseConductorsDictionariesAreJudgedByIcehousesRules) {
  const auto host = [](const std::string& name, const std::string& more = "") {
    return R"({"host":")" + name + R"(","service":{},"compute_node":{"vcpus":8,"vcpus_used":0,"memory_mb":16384,)" +
           R"("memory_mb_used":0,"local_gb":100,"local_gb_used":0)" + more + "}}";
  };
  const auto fleet = file("two.json", R"({"format":"gantry-fleet/1","hosts":[)" + host("a") + "," +
                                          host("b", R"(,"pci_stats":[{"vendor_id":"15b3","count":1}])") + "]}");
  const auto chosen = [&](const std::string& filter, const std::string& properties, const std::string& image = "I") {
    const auto request =
        file("request.json", R"({"request_spec":{"num_instances":1,"instance_type":{"id":1,"name":"f","vcpus":1,)"
                             R"("memory_mb":512,"root_gb":1,"ephemeral_gb":0,"swap":0,"extra_specs":{}},)"
                             R"("instance_properties":{"project_id":"p","image_ref":")" +
                                 image + R"("}},"filter_properties":)" + properties + "}");
    const auto ran =
        what_if({"--fleet", fleet, "--request", request, "--set", "driver.filter.compatibility=icehouse", "--set",
                 R"(driver.filter.isolated_images=["I"])", "--set", R"(driver.filter.isolated_hosts=["b"])", "--set",
                 "driver.filter.enabled_filters=[\"" + filter + "\"]", "-o", "json"});
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    const auto hosts = hosts_of(ran.json());
    return hosts.empty() ? std::string("none") : hosts.front();
  };
  EXPECT_EQ(chosen("IsolatedHostsFilter", "{}"), "b");
  EXPECT_EQ(chosen("IsolatedHostsFilter", "{}", "another"), "a");
  EXPECT_EQ(chosen("PciPassthroughFilter", R"({"pci_requests":[{"count":1,"spec":[{"vendor_id":"15b3"}]}]})"), "b");
  const auto group = [](const std::string& policy) {
    return R"({"group_policies":[")" + policy + R"("],"group_hosts":["b"],"group_members":[],"group_updated":true})";
  };
  EXPECT_EQ(chosen("ServerGroupAffinityFilter", group("affinity")), "b");
  EXPECT_EQ(chosen("ServerGroupAntiAffinityFilter", group("anti-affinity")), "a");
  EXPECT_EQ(chosen("GroupAffinityFilter", group("legacy")), "b");
}

TEST_F(WhatIf, ChanceDecidesTheSameWithTheSameSeed) {
  std::string hosts;
  for (int i = 0; i < 40; ++i)
    hosts += (i == 0 ? "" : ",") + std::string(R"({"host":"h)") + std::to_string(i) +
             R"(","service":{},"compute_node":{"vcpus":8,"memory_mb":8192,"local_gb":100}})";
  const auto fleet = file("fleet.json", R"({"format":"gantry-fleet/1","hosts":[)" + hosts + "]}");
  const auto chosen = [&](const std::string& seed) {
    const auto ran = what_if({"--fleet", fleet, "--flavor", "m1.tiny", "--seed", seed, "--set",
                              "driver.filter.host_subset_size=40", "-o", "json"});
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    return hosts_of(ran.json()).at(0);
  };
  const auto first = chosen("7");
  EXPECT_EQ(chosen("7"), first);
  EXPECT_TRUE(chosen("8") != first || chosen("9") != first || chosen("10") != first || chosen("11") != first);
}

TEST_F(WhatIf, AnInvalidQuestionSaysWhyAndExitsAsEachCommandDoes) {
  const auto no_file = what_if({"--fleet", "/nowhere/fleet.json", "--request", example_request});
  EXPECT_EQ(no_file.exit_status, 1);
  EXPECT_THAT(no_file.err, HasSubstr("/nowhere/fleet.json: cannot be opened"));
  const auto wrong = what_if({"--fleet", file("wrong.json", R"({"format":"gantry-fleet/1","hosts":[{"host":3}]})"),
                              "--request", example_request});
  EXPECT_EQ(wrong.exit_status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.json: hosts[0].host: expected text, found number 3"));
  const auto both = what_if({"--fleet", "-", "--request", "-"});
  EXPECT_EQ(both.exit_status, 2);
  const auto no_request = what_if({"--fleet", example_fleet, "--request", file("request.json", "{}")});
  EXPECT_EQ(no_request.exit_status, 2);
  EXPECT_THAT(no_request.err, HasSubstr("request.json: holds no request"));
  const auto no_driver = gantry.gantry({"--config", gantry.config_file(), "whatif", "--driver", "absent", "--fleet",
                                        example_fleet, "--flavor", "m1.tiny"});
  EXPECT_EQ(no_driver.exit_status, 78);
  EXPECT_THAT(no_driver.err, HasSubstr("absent.so"));
  const auto no_name =
      gantry.gantry({"whatif", "--driver", "/etc/passwd", "--fleet", example_fleet, "--flavor", "m1.tiny"});
  EXPECT_EQ(no_name.exit_status, 2);
  EXPECT_THAT(no_name.err, HasSubstr("--driver: expected the name of a driver"));
  const auto no_key = what_if({"--fleet", example_fleet, "--flavor", "m1.tiny", "--set", "ram_weight_multiplier=2"});
  EXPECT_EQ(no_key.exit_status, 78);
  EXPECT_THAT(no_key.err, HasSubstr("driver.<driver>.<option>"));
  EXPECT_THAT(no_key.err, Not(HasSubstr("next:"))) << "it asks no configuration file that could be checked";
  const auto no_filter = what_if(
      {"--fleet", example_fleet, "--flavor", "m1.tiny", "--set", R"(driver.filter.enabled_filters=["RamFiltre"])"});
  EXPECT_EQ(no_filter.exit_status, 78);
  EXPECT_THAT(no_filter.err, HasSubstr("RamFiltre"));
}

TEST_F(WhatIf, ReadsAFleetFromStandardInputAndTheDriverFromADirectory) {
  std::ifstream example(example_fleet);
  const std::string text{std::istreambuf_iterator<char>(example), {}};
  const auto ran = gantry.gantry({"--config", file("empty.toml", ""), "whatif", "--driver", "simple", "--driver-dir",
                                  gantry.drivers().string(), "--fleet", "-", "--flavor", "m1.tiny", "-o", "value"},
                                 text);
  EXPECT_EQ(ran.exit_status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("chosen\tc[134]"));
}

TEST_F(WhatIf, DecidesOnAnExportedFleetAsTheDaemonDoes) {
  gantry.configure(R"(["filter"])");
  gantry.start();
  gantry.simulate(R"(
[[hosts]]
name = "small-{1..3}"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "large-{1..3}"
vcpus = 16
memory_mb = 32768
local_gb = 400
)");
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 6; }));
  ASSERT_EQ(gantry.gantry({"group", "create", "--policy", "anti-affinity", "apart"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "--zone", "east", "east"}).exit_status, 0);
  for (const auto* host : {"small-1", "small-2", "large-2"})
    ASSERT_EQ(gantry.gantry({"aggregate", "add-host", "east", host}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "large-3"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.small", "--count", "2", "--group", "apart", "web"})
                .exit_status,
            0);

  const std::vector<std::vector<std::string>> requests{
      {"--flavor", "m1.small", "--group", "apart"},
      {"--flavor", "m1.small", "--count", "4"},
      {"--flavor", "m1.large", "--zone", "east"},
      {"--flavor", "m1.tiny", "--group", "apart", "--zone", "east", "--alternates", "2"},
  };
  // A simulated fleet reports now and then: what is compared is of one and the same state.
  for (const auto& request : requests) {
    const auto agree = [&] {
      const auto exported = gantry.gantry({"fleet", "export"});
      EXPECT_EQ(exported.exit_status, 0) << exported.err;
      std::vector<std::string> words{"select"};
      words.insert(words.end(), request.begin(), request.end());
      const auto asked = gantry.ask(words);
      words = {"--fleet", file("exported.json", exported.out), "-o", "json"};
      words.insert(words.end(), request.begin(), request.end());
      const auto decided = what_if(words);
      EXPECT_EQ(decided.exit_status, 0) << decided.err;
      return decided.exit_status == 0 && json::write(decided.json().at("destinations")) == json::write(asked);
    };
    EXPECT_TRUE(eventually(agree)) << request.back();
  }
  EXPECT_THAT(gantry.gantry({"fleet", "export"}).out, HasSubstr("gantry-fleet/1"));
}

}  // namespace
}  // namespace gantry::test
