// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto nine_hosts = R"(
[[hosts]]
name = "doc-{1..3}"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "ops-{1..3}"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "dev-{1..3}"
vcpus = 4
memory_mb = 8192
local_gb = 100
)";

class Decisions : public ::testing::Test {
 protected:
  void serve(const std::string& drivers, const std::string& fleet = nine_hosts, std::size_t hosts = 9,
             const std::string& more = {}) {
    gantry.configure(drivers, more);
    gantry.start();
    gantry.simulate(fleet);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == hosts; }));
  }
  std::string text(const json::value& value, std::string_view key) {
    return std::string(json::find_string(value.as_object(), key).value_or("(none)"));
  }

  RunningGantry gantry;
};

TEST_F(Decisions, TheIpDriverSendsServersToTheHostsOfTheirAddress) {
  serve("[\"ip\"]");
  const auto ran = gantry.gantry(
      {"server", "create", "--flavor", "m1.tiny", "--count", "2", "--remote-address", "10.1.0.5", "scheduler-test"});
  EXPECT_EQ(ran.exit_status, 0) << ran.err;
  const auto servers = gantry.list({"server", "list"});
  ASSERT_EQ(servers.size(), 2U);
  for (const auto& server : servers) {
    EXPECT_THAT(text(server, "host"), StartsWith("doc-"));
    EXPECT_EQ(text(server, "vm_state"), "active");
  }
  EXPECT_EQ(text(servers[0], "name"), "scheduler-test-1");
  EXPECT_EQ(json::find_integer(servers[0].as_object(), "launch_index"), 0);
  EXPECT_EQ(json::find_integer(servers[1].as_object(), "launch_index"), 1);
  EXPECT_THAT(gantry.log(), ContainsRegex("Request from 10.1.0.5 scheduled to doc-[123]"));
}

TEST_F(Decisions, AServerSaysWhyItIsWhereItIs) {
  serve("[\"simple\"]");
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "explained"}).exit_status, 0);
  const auto server = gantry.ask({"server", "show", "explained"});
  const auto& decision = server.at("decision").as_object();
  EXPECT_EQ(decision.at("driver").as_string(), "simple");
  EXPECT_FALSE(decision.at("steps").as_array().empty());
  EXPECT_EQ(decision.at("destinations").as_array().size(), 1U);
}

TEST_F(Decisions, ANameThatNoServerHasIsAnError) {
  serve("[\"ip\"]");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"decision", "list", "--server", "nosuch"},
                                                {"why", "nosuch"},
                                                {"why-not", "nosuch", "doc-1"}}) {
    const auto ran = gantry.gantry(words);
    EXPECT_EQ(ran.exit_status, 1) << words.front();
    EXPECT_THAT(ran.err, HasSubstr("'nosuch'"));
  }
}

TEST_F(Decisions, ARequestThatNothingSatisfiesExitsWithThreeAndShowsEachStep) {
  serve("[\"simple\"]");
  const auto ran = gantry.gantry({"select", "--vcpus", "4000", "--memory-mb", "512"});
  EXPECT_EQ(ran.exit_status, 3);
  EXPECT_THAT(ran.err, HasSubstr("No valid host was found."));
  EXPECT_THAT(ran.err, HasSubstr("9"));
}

TEST_F(Decisions, SelectChangesNothing) {
  serve("[\"simple\"]");
  const auto before = gantry.ask({"host", "show", "doc-1"}).at("claims").as_array();
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny", "--count", "3"}).exit_status, 0);
  EXPECT_EQ(gantry.list({"claim", "list"}).size(), before.size());
  EXPECT_TRUE(gantry.list({"server", "list"}).empty());
}

TEST_F(Decisions, OneInstanceThatFitsNowhereGoesToErrorAndLeavesTheOthersAlone) {
  serve("[\"simple\"]", "[[hosts]]\nname = \"only\"\nvcpus = 1\nmemory_mb = 1024\nlocal_gb = 100\n", 1);
  const auto ran = gantry.gantry(
      {"server", "create", "--vcpus", "1", "--memory-mb", "512", "--disk-gb", "1", "--count", "4", "fill"});
  EXPECT_EQ(ran.exit_status, 3) << ran.out << ran.err;
  std::multiset<std::string> states;
  for (const auto& server : gantry.list({"server", "list"})) {
    states.insert(text(server, "vm_state"));
    if (text(server, "vm_state") == "error") {
      EXPECT_THAT(text(server, "fault"), StartsWith("No valid host was found."));
    }
  }
  // 1,024 MiB at the default ratio of 1.5 hold three of 512 MiB.
  EXPECT_EQ(states.count("active"), 3U);
  EXPECT_EQ(states.count("error"), 1U);
}

TEST_F(Decisions, AnAntiAffinityGroupIsSpread) {
  serve("[\"simple\"]");
  ASSERT_EQ(gantry.gantry({"group", "create", "--policy", "anti-affinity", "apart"}).exit_status, 0);
  ASSERT_EQ(
      gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "3", "--group", "apart", "web"}).exit_status,
      0);
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "3", "--group", "apart", "more"})
                .exit_status,
            0);
  std::set<std::string> hosts;
  for (const auto& server : gantry.list({"server", "list"})) hosts.insert(text(server, "host"));
  EXPECT_EQ(hosts.size(), 6U);
  EXPECT_EQ(gantry.list({"group-hosts", "apart"}).size(), 6U);
}

TEST_F(Decisions, ARequestForAlternatesGetsAsManyAsMaxAttemptsLeaves) {
  serve("[\"filter\"]", nine_hosts, 9, "scheduling.max_attempts = 5\n");
  gantry::testing::RawConnection connection(gantry.socket_path());
  connection.send(gantry::testing::post("select_destinations", R"({"args": {"request_spec": {"num_instances": 1,
      "instance_type": {"vcpus": 1, "memory_mb": 64, "root_gb": 1}}, "return_objects": true,
      "return_alternates": true}})"));
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 200) << answer->body;
  EXPECT_EQ(json::parse(answer->body)->at("result").at(0).as_array().size(), 5U) << answer->body;
}

// Requests of one group at the same moment: none sees where the others go.
class DecisionsAtOneMoment : public Decisions, public ::testing::WithParamInterface<const char*> {
 protected:
  // The hosts of as many servers as there are callers, each asked for by a request of its own.
  std::multiset<std::string> boot_at_once(const std::string& group, std::size_t callers) {
    std::vector<std::thread> threads;
    threads.reserve(callers);
    for (std::size_t caller = 0; caller < callers; ++caller) {
      threads.emplace_back([&, name = group + "-" + std::to_string(caller)] {
        EXPECT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--group", group, name}).exit_status, 0);
      });
    }
    for (auto& thread : threads) thread.join();
    std::multiset<std::string> hosts;
    for (const auto& server : gantry.list({"server", "list"})) {
      if (text(server, "name").starts_with(group + "-")) hosts.insert(text(server, "host"));
    }
    EXPECT_EQ(hosts.size(), callers);
    return hosts;
  }
};

TEST_P(DecisionsAtOneMoment, KeepTheMembersOfAGroupApart) {
  serve(GetParam(), nine_hosts, 9);
  for (int round = 0; round < 6; ++round) {
    const auto group = "apart" + std::to_string(round);
    ASSERT_EQ(gantry.gantry({"group", "create", "--policy", "anti-affinity", group}).exit_status, 0);
    const auto hosts = boot_at_once(group, 9);
    EXPECT_EQ(std::set<std::string>(hosts.begin(), hosts.end()).size(), 9U) << ::testing::PrintToString(hosts);
  }
}

TEST_P(DecisionsAtOneMoment, KeepTheMembersOfAGroupTogether) {
  serve(GetParam(), nine_hosts, 9);
  for (int round = 0; round < 6; ++round) {
    const auto group = "together" + std::to_string(round);
    ASSERT_EQ(gantry.gantry({"group", "create", "--policy", "affinity", group}).exit_status, 0);
    const auto hosts = boot_at_once(group, 4);
    EXPECT_EQ(std::set<std::string>(hosts.begin(), hosts.end()).size(), 1U) << ::testing::PrintToString(hosts);
  }
}

INSTANTIATE_TEST_SUITE_P(, DecisionsAtOneMoment, ::testing::Values("[\"simple\"]", "[\"filter\"]"),
                         [](const auto& driver) { return driver.index == 0 ? "simple" : "filter"; });

TEST_F(Decisions, TheFilterDriverSpreadsAnAntiAffinityGroup) {
  serve("[\"filter\"]");
  ASSERT_EQ(gantry.gantry({"group", "create", "--policy", "anti-affinity", "apart"}).exit_status, 0);
  for (const auto* const name : {"web", "more"}) {
    const auto ran =
        gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "4", "--group", "apart", name});
    ASSERT_EQ(ran.exit_status, 0) << ran.err;
  }
  std::set<std::string> hosts;
  for (const auto& server : gantry.list({"server", "list"})) hosts.insert(text(server, "host"));
  EXPECT_EQ(hosts.size(), 8U);
  const auto full =
      gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "2", "--group", "apart", "full"});
  EXPECT_EQ(full.exit_status, 3);
  EXPECT_THAT(full.out + full.err, HasSubstr("ServerGroupAntiAffinityFilter"));
}

TEST_F(Decisions, TheFilterDriverSaysWhatWasWantedAndTheMostThatThereWas) {
  serve("[\"filter\"]");
  const auto ran = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "12345678"});
  EXPECT_EQ(ran.exit_status, 3);
  EXPECT_THAT(ran.err, HasSubstr("RamFilter"));
  EXPECT_THAT(ran.err, HasSubstr("12345678 MiB wanted"));
  EXPECT_THAT(ran.err, HasSubstr("at most 8192 "));  // no instance is larger than its host, whatever the ratio
}

// The hosts in the only instance's explanation, by name.
std::map<std::string, json::object> explanations_in(const json::object& decision) {
  std::map<std::string, json::object> hosts;
  for (const auto& host : decision.at("instances").at(0).at("hosts").as_array())
    hosts[std::string(host.at("host").as_string())] = host.as_object();
  return hosts;
}

TEST_F(Decisions, TheFilterDriverSaysWhichRequirementToRelax) {
  serve("[\"filter\"]");
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "doc-1"}).exit_status, 0);
  const auto refused = gantry.gantry({"select", "--flavor", "m1.tiny", "--zone", "nowhere"});
  EXPECT_EQ(refused.exit_status, 3);
  EXPECT_THAT(refused.err, HasSubstr("AvailabilityZoneFilter: zone 'nowhere' wanted, 'nova' there"));
  EXPECT_THAT(refused.err, ContainsRegex("ComputeFilter +9 +8 +the service is down or disabled"));
}

TEST_F(Decisions, TheFilterDriverExplainsTheFateOfEachHost) {
  serve("[\"filter\"]");
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "doc-1"}).exit_status, 0);
  ASSERT_EQ(
      gantry.gantry({"server", "create", "--vcpus", "1", "--memory-mb", "4096", "--disk-gb", "1", "first"}).exit_status,
      0);
  const auto used = text(gantry.list({"server", "list"}).at(0), "host");
  const auto ran = gantry.gantry({"-o", "json", "select", "--vcpus", "1", "--memory-mb", "6000", "--explain"});
  ASSERT_EQ(ran.exit_status, 0) << ran.err;
  const auto answer = ran.json();
  const auto hosts = explanations_in(answer.at("decision").as_object());
  ASSERT_EQ(hosts.size(), 9U);
  const auto& disabled = hosts.at("doc-1");
  EXPECT_EQ(disabled.at("rejected_by").as_string(), "ComputeFilter");
  EXPECT_TRUE(disabled.at("rank").is_null() && disabled.at("weight").is_null());
  EXPECT_EQ(disabled.at("verdicts").as_array().size(), 1U) << "they end at the first rejection";
  EXPECT_TRUE(hosts.at(used).at("rejected_by").is_null()) << "8192 at the ratio of 1.5 hold both";
  EXPECT_EQ(hosts.at(used).at("rank").as_int64(), 7) << "it has the least memory left of eight";
  const auto chosen = std::string(answer.at("destinations").at(0).at("host").as_string());
  const auto& best = hosts.at(chosen);
  EXPECT_EQ(best.at("rank").as_int64(), 0);
  EXPECT_EQ(best.at("weight"), answer.at("decision").at("destinations").at(0).at("weight"));
  double sum = 0;
  for (const auto& term : best.at("weighers").as_array())
    sum += term.at("normalized").to_number<double>() * term.at("multiplier").to_number<double>();
  EXPECT_DOUBLE_EQ(best.at("weight").to_number<double>(), sum);
}

TEST_F(Decisions, TheFilterDriverSaysWhatEveryFilterMakesOfEveryHostThoughNoneFits) {
  serve("[\"filter\"]");
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "doc-1"}).exit_status, 0);
  const auto ran = gantry.gantry({"-o", "json", "select", "--vcpus", "1", "--memory-mb", "20000", "--all-filters"});
  EXPECT_EQ(ran.exit_status, 3);
  const auto hosts = explanations_in(ran.json().at("decision").as_object());
  ASSERT_EQ(hosts.size(), 9U);
  for (const auto& [name, host] : hosts) {
    std::map<std::string, bool> passed;
    for (const auto& verdict : host.at("verdicts").as_array())
      passed[std::string(verdict.at("name").as_string())] = verdict.at("passed").as_bool();
    EXPECT_EQ(passed.size(), 9U) << name;
    EXPECT_EQ(passed.at("ComputeFilter"), name != "doc-1") << name;
    EXPECT_FALSE(passed.at("RamFilter")) << name;
    EXPECT_TRUE(passed.at("DiskFilter")) << name;
  }
  const auto shown = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "20000", "--explain"});
  EXPECT_EQ(shown.exit_status, 3);
  EXPECT_THAT(shown.out, ContainsRegex("doc-1 .*ComputeFilter"));
  EXPECT_THAT(shown.out, ContainsRegex("doc-2 .*RamFilter +20000 MiB wanted, 8192 there"));
}

TEST_F(Decisions, TheFilterDriverRefusesWhatOnlyPlacementCouldJudge) {
  serve("[\"filter\"]");
  const auto ran = gantry.gantry({"select", "--extra-spec", "trait:HW_CPU_X86_AVX2=required"});
  EXPECT_NE(ran.exit_status, 0);
  EXPECT_THAT(ran.err, HasSubstr("trait:HW_CPU_X86_AVX2"));
  EXPECT_THAT(ran.err, HasSubstr("ignore_placement_requirements"));
}

TEST_F(Decisions, TheFilterDriverFillsAHostToItsLimitsAndNoFurther) {
  serve("[\"filter\"]", "[[hosts]]\nname = \"only\"\nvcpus = 1\nmemory_mb = 1024\nlocal_gb = 100\n", 1);
  const auto ran = gantry.gantry(
      {"server", "create", "--vcpus", "1", "--memory-mb", "512", "--disk-gb", "1", "--count", "4", "fill"});
  EXPECT_EQ(ran.exit_status, 3) << ran.out << ran.err;
  std::multiset<std::string> states;
  for (const auto& server : gantry.list({"server", "list"})) states.insert(text(server, "vm_state"));
  EXPECT_EQ(states.count("active"), 3U);  // 1,024 MiB at the default ratio of 1.5
  EXPECT_EQ(states.count("error"), 1U);
}

TEST_F(Decisions, AVolumeIsPlacedBesideItsInstance) {
  const auto fleet = std::string(nine_hosts) +
                     "[[hosts]]\nname = \"doc-2\"\ntopic = \"volume\"\nstats = { free_capacity_gb = 50 }\n"
                     "[[hosts]]\nname = \"big\"\ntopic = \"volume\"\nstats = { free_capacity_gb = 900 }\n";
  serve("[\"ip\", \"volume\"]", fleet);
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "volume"}).size() == 2; }));
  const auto roomy = gantry.ask({"schedule", "volume", "create_volume", "size=10"});
  EXPECT_EQ(text(roomy, "host"), "big");
  ASSERT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
  std::string uuid;
  for (int i = 0; uuid.empty() && i < 40; ++i) {
    const auto name = "near-" + std::to_string(i);
    ASSERT_EQ(
        gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--remote-address", "10.1.0.5", name}).exit_status,
        0);
    const auto server = gantry.ask({"server", "show", name});
    if (text(server, "host") == "doc-2") uuid = text(server, "uuid");
  }
  ASSERT_FALSE(uuid.empty());
  const auto near = gantry.ask({"schedule", "volume", "create_volume", "size=10", "near_instance=" + uuid});
  EXPECT_EQ(text(near, "host"), "doc-2");
  const auto refused = gantry.gantry({"schedule", "volume", "create_volume", "size=100000"});
  EXPECT_EQ(refused.exit_status, 3) << refused.err;
}

TEST_F(Decisions, AnUnknownTopicOrMethodIsRefusedByNameWithWhatExists) {
  serve("[\"ip\", \"volume\"]");
  const auto topic = gantry.gantry({"schedule", "network", "create_port"});
  EXPECT_EQ(topic.exit_status, 1);
  EXPECT_THAT(topic.err, HasSubstr("network"));
  EXPECT_THAT(topic.err, HasSubstr("compute, volume"));
  const auto method = gantry.gantry({"schedule", "volume", "create_volumes", "size=1"});
  EXPECT_EQ(method.exit_status, 1);
  EXPECT_THAT(method.err, HasSubstr("create_volume"));
}

TEST_F(Decisions, TheDefaultReasonsOfTheIpDriverTellDownFromElsewhere) {
  serve("[\"ip\"]", "[[hosts]]\nname = \"ops-1\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n", 1);
  const auto elsewhere = gantry.gantry({"select", "--flavor", "m1.tiny", "--remote-address", "10.1.0.5"});
  EXPECT_EQ(elsewhere.exit_status, 3);
  EXPECT_THAT(elsewhere.err, HasSubstr("Could not find another compute"));
  ASSERT_EQ(gantry.gantry({"service", "force-down", "compute", "ops-1"}).exit_status, 0);
  const auto down = gantry.gantry({"select", "--flavor", "m1.tiny", "--remote-address", "10.2.0.5"});
  EXPECT_EQ(down.exit_status, 3);
  EXPECT_THAT(down.err, HasSubstr("Is the appropriate service running?"));
}

}  // namespace
}  // namespace gantry::test
