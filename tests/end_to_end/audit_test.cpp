// SPDX-License-Identifier: Apache-2.0
//
// The audit log: who changed what by hand, in the log and in the events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <gantry/client.hpp>
#include <sstream>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto one_host = "[[hosts]]\nname = \"h1\"\nvcpus = 64\nmemory_mb = 65536\nlocal_gb = 1000\n";

class AuditLog : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"", "server.listen = [\"127.0.0.1:0\"]\n");
    gantry.start();
  }
  void run(const std::vector<std::string>& words) {
    const auto ran = gantry.gantry(words);
    EXPECT_EQ(ran.exit_status, 0) << words[0] << " " << words[1] << ": " << ran.err;
  }
  // The lines of the audit log, without their times.
  std::vector<std::string> lines() const {
    std::istringstream log(gantry.log());
    std::vector<std::string> found;
    for (std::string line; std::getline(log, line);) {
      const auto at = line.find(" audit ");
      if (at != std::string::npos) found.push_back(line.substr(at + 1));
    }
    return found;
  }
  void register_and_report(const std::string& host) {
    client::connection_options options;
    options.target = gantry.url();
    client::client agent(options);
    EXPECT_TRUE(agent.call("service_register", R"({"topic":"compute","host":")" + host + R"("})"));
    EXPECT_TRUE(agent.call("report_state", R"({"topic":"compute","host":")" + host + R"("})"));
    const auto report = R"({"name":")" + host + R"(","stats":{"vcpus":8,"memory_mb":4096,"local_gb":100}})";
    EXPECT_TRUE(agent.call("update_resource_stats", report));
  }
  RunningGantry gantry;
};

TEST_F(AuditLog, HasALineForEachChangeByAnOperatorWithWhoWhatAndFromTo) {
  register_and_report("h1");
  run({"service", "disable", "compute", "h1", "--reason", "new disk"});
  run({"service", "enable", "compute", "h1"});
  run({"service", "force-down", "compute", "h1"});
  run({"service", "remove", "compute", "h1"});
  run({"host", "remove", "h1"});
  run({"aggregate", "create", "--zone", "north", "ssd"});
  run({"aggregate", "add-host", "--force", "ssd", "h1"});
  run({"aggregate", "delete", "--force", "ssd"});
  run({"group", "create", "--policy", "affinity", "web"});
  run({"group", "delete", "web"});
  const auto all = lines();
  EXPECT_THAT(
      all,
      ElementsAre(
          AllOf(HasSubstr("method=disable_service object=\"service compute/h1\""),
                HasSubstr("status: enabled -> disabled; disabled_reason: - -> new disk")),
          AllOf(HasSubstr("method=enable_service"), HasSubstr("status: disabled -> enabled")),
          AllOf(HasSubstr("method=force_down_service"), HasSubstr("forced_down: false -> true")),
          AllOf(HasSubstr("method=remove_service object=\"service compute/h1\""), HasSubstr("host: h1 -> -")),
          AllOf(HasSubstr("method=remove_host object=\"host compute/h1\""), HasSubstr("host: h1 -> -")),
          AllOf(HasSubstr("method=create_aggregate object=\"aggregate 1 (ssd)\""), HasSubstr("name: - -> ssd")),
          AllOf(HasSubstr("method=add_aggregate_host object=\"aggregate 1 (ssd)\""), HasSubstr("hosts: added 1 (h1)")),
          AllOf(HasSubstr("method=delete_aggregate object=\"aggregate 1 (ssd)\""), HasSubstr("name: ssd -> -")),
          AllOf(HasSubstr("method=create_group"), HasSubstr("(web)"), HasSubstr("policy: - -> affinity")),
          AllOf(HasSubstr("method=delete_group"), HasSubstr("(web)"), HasSubstr("policy: affinity -> -"))));
  EXPECT_THAT(all, Each(AllOf(HasSubstr("who=\"unix uid=" + std::to_string(getuid()) + " pid="),
                              HasSubstr("request_id=req-"))));
}

TEST_F(AuditLog, IsInTheEventsTooWithTheSameWho) {
  register_and_report("h1");
  run({"service", "disable", "compute", "h1"});
  run({"aggregate", "create", "ssd"});
  run({"aggregate", "add-host", "--force", "ssd", "h1"});
  run({"aggregate", "delete", "--force", "ssd"});
  run({"group", "create", "--policy", "affinity", "web"});
  run({"group", "delete", "web"});
  run({"host", "remove", "h1"});
  run({"service", "remove", "compute", "h1"});
  const auto told = gantry.gantry({"-o", "json", "events"});
  std::istringstream text(told.out);
  std::vector<std::string> types;
  for (std::string line; std::getline(text, line);) {
    const auto event = json::parse_object(line);
    ASSERT_TRUE(event) << line;
    types.emplace_back(event->at("type").as_string());
    EXPECT_THAT(std::string(event->at("who").as_string()), HasSubstr("unix uid=")) << line;
    if (types.back() != "service.registered") {
      EXPECT_TRUE(event->contains("changes")) << line;
    }
  }
  EXPECT_THAT(types,
              ElementsAre("service.registered", "service.disabled", "aggregate.created", "aggregate.updated",
                          "aggregate.deleted", "group.created", "group.deleted", "host.removed", "service.removed"));
  EXPECT_THAT(gantry.gantry({"events", "--type", "aggregate.updated"}).out,
              AllOf(HasSubstr("aggregate 1 (ssd) on h1"), HasSubstr("hosts added 1 (h1)"), HasSubstr("(by unix uid=")));
}

TEST_F(AuditLog, NamesTheTokenOfACallerAndNeverItsText) {
  const auto file = (gantry.directory() / "admin").string();
  run({"token", "create", "--role", "admin", "--token-out", file, "the night shift"});
  std::string text;
  std::ifstream(file) >> text;
  const auto id = std::string(gantry.list({"token", "list"}).at(0).at("id").as_string());
  EXPECT_THAT(lines(), ElementsAre(AllOf(HasSubstr("method=create_token object=\"token " + id + " (the night shift)\""),
                                         HasSubstr("role: - -> admin"))));
  client::connection_options options;
  options.target = gantry.url();
  options.token = text;
  EXPECT_TRUE(client::client(options).call("create_aggregate", R"({"name":"ssd"})"));
  run({"token", "revoke", id});
  const auto all = lines();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(all[1], HasSubstr("who=\"token " + id + " (the night shift)\" method=create_aggregate"));
  EXPECT_THAT(all[2], AllOf(HasSubstr("who=\"unix uid="), HasSubstr("method=revoke_token object=\"token " + id)));
  EXPECT_THAT(gantry.log(), Not(HasSubstr(text)));
}

TEST_F(AuditLog, HasADeletedServerButNoHeartbeatReportOrDecision) {
  gantry.simulate(one_host);
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  run({"server", "create", "--flavor", "m1.tiny", "web"});
  ASSERT_TRUE(eventually([&] { return gantry.ask({"server", "show", "web"}).at("vm_state") == "active"; }));
  EXPECT_THAT(lines(), IsEmpty());
  run({"server", "delete", "web"});
  EXPECT_THAT(lines(), ElementsAre(AllOf(HasSubstr("method=delete_instance object=\"instance "), HasSubstr("(web)"),
                                         HasSubstr("vm_state: active -> -"))));
}

TEST_F(AuditLog, HasAStateThatAnOperatorSetsByHand) {
  gantry.simulate(one_host);
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  run({"server", "create", "--flavor", "m1.tiny", "web"});
  ASSERT_TRUE(eventually([&] { return gantry.ask({"server", "show", "web"}).at("vm_state") == "active"; }));
  const auto uuid = std::string(gantry.ask({"server", "show", "web"}).at("uuid").as_string());
  client::connection_options options;
  options.target = gantry.url();
  EXPECT_TRUE(client::client(options).call("update_instance", R"({"uuid":")" + uuid + R"(","vm_state":"error"})"));
  EXPECT_THAT(lines(), ElementsAre(AllOf(HasSubstr("method=update_instance object=\"instance " + uuid + " (web)\""),
                                         HasSubstr("vm_state: active -> error"))));
}

TEST_F(AuditLog, HasNoLineForWhatChangedNothing) {
  register_and_report("h1");
  run({"service", "enable", "compute", "h1"});
  EXPECT_EQ(gantry.gantry({"service", "disable", "compute", "nowhere"}).exit_status, 1);
  EXPECT_THAT(lines(), IsEmpty());
}

TEST_F(AuditLog, StandsBesideALineForEachServiceThatGoesDownAndComesUp) {
  gantry.stop();
  gantry.configure("\"simple\"", "scheduling.service_down_time = 1\n");
  gantry.start();
  register_and_report("h1");
  EXPECT_TRUE(
      eventually([&] { return gantry.log().find("WARNING service down topic=compute host=h1") != std::string::npos; }));
  register_and_report("h1");
  EXPECT_TRUE(
      eventually([&] { return gantry.log().find("INFO service up topic=compute host=h1") != std::string::npos; }));
}

}  // namespace
}  // namespace gantry::test
