// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <gantry/client.hpp>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

constexpr auto two_hosts = R"(
[[hosts]]
name = "doc-1"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "dev-1"
vcpus = 64
memory_mb = 65536
local_gb = 1000
)";

class Restart : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"ip\"");
    gantry.start();
    gantry.simulate(two_hosts);
    ASSERT_TRUE(hosts_are_up());
  }
  bool hosts_are_up() {
    return eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; });
  }
  std::string host_of(const std::string& server) {
    return std::string(gantry.ask({"server", "show", server}).at("host").as_string());
  }
  RunningGantry gantry;
};

TEST_F(Restart, SwapsTheDriverByOneLineAndKeepsServersAndHosts) {
  ASSERT_EQ(
      gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--remote-address", "10.1.0.5", "first"}).exit_status,
      0);
  EXPECT_EQ(host_of("first"), "doc-1");
  EXPECT_EQ(gantry.stop(), 0);
  gantry.configure("\"simple\"");
  gantry.start();
  EXPECT_EQ(host_of("first"), "doc-1");
  ASSERT_TRUE(hosts_are_up());
  ASSERT_EQ(
      gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--remote-address", "10.1.0.5", "second"}).exit_status,
      0);
  EXPECT_EQ(host_of("second"), "dev-1");
}

TEST_F(Restart, AnsweredCallsSurviveAKill) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(
        gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--no-wait", "s" + std::to_string(i)}).exit_status,
        0);
  }
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "--zone", "az1", "fast"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "doc-1", "--reason", "maintenance"}).exit_status, 0);
  gantry.kill();
  gantry.start();
  EXPECT_EQ(gantry.list({"server", "list"}).size(), 5U);
  EXPECT_EQ(gantry.list({"aggregate", "list"}).size(), 1U);
  const auto services = json::write(gantry.ask({"service", "list"}));
  EXPECT_THAT(services, ::testing::HasSubstr("maintenance"));
  // Casts that were not acknowledged before the kill arrive after it.
  EXPECT_TRUE(eventually([&] {
    for (const auto& server : gantry.list({"server", "list"})) {
      if (server.at("vm_state").as_string() != "active") return false;
    }
    return true;
  }));
}

TEST_F(Restart, RepeatedSelectionsGetTheirFirstAnswersAlsoAfterAKill) {
  EXPECT_EQ(gantry.stop(), 0);
  gantry.configure("\"chance\"");
  gantry.start();
  const auto select = [this](int number) {
    const auto uuid = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0" + std::to_string(100 + number);
    client::call_options options;
    options.idempotency_key = "selection-" + std::to_string(number);
    const auto reply =
        client::client(gantry.url())
            .call("select_destinations",
                  R"({"request_spec":{"flavor":{"vcpus":1,"memory_mb":64,"root_gb":1},"instance_uuids":[")" + uuid +
                      R"("]}})",
                  options);
    EXPECT_TRUE(reply) << reply.failure().message;
    return std::string(reply.json());
  };
  constexpr int selections = 24;  // of one host of two each: by chance they are the same once in 16 million times
  std::vector<std::string> first;
  for (int number = 0; number < selections; ++number) first.push_back(select(number));
  gantry.kill();
  gantry.start();
  for (int number = 0; number < selections; ++number) EXPECT_EQ(select(number), first[number]) << number;
}

TEST_F(Restart, AfterAKillAHostCountsAsHeardAtTheLastBatchOfHeartbeats) {
  gantry.end_simulation();
  EXPECT_EQ(gantry.stop(), 0);
  gantry.start();
  const auto transactions = [this]() -> std::int64_t {
    const auto status = gantry.ask({"status"});
    for (const auto& counter : status.at("counters").as_array()) {
      if (counter.at("name").as_string() == "store_transactions") return counter.at("value").to_number<std::int64_t>();
    }
    return 0;
  };
  const auto reports = [this] {
    return gantry.list({"service", "list", "--host", "quiet"}).at(0).at("report_count").to_number<int>();
  };
  client::client client(gantry.url());
  ASSERT_TRUE(client.call("service_register", R"({"topic":"compute","host":"quiet"})"));
  // The first batch shows that the next is some seconds off.
  for (const int beats : {1, 3}) {
    const auto before = transactions();
    for (int i = 0; i < beats; ++i) ASSERT_TRUE(client.call("report_state", R"({"topic":"compute","host":"quiet"})"));
    ASSERT_TRUE(eventually([&] { return transactions() > before; }));
  }
  gantry.kill();
  gantry.start();
  EXPECT_EQ(reports(), 5);
}

TEST_F(Restart, ASecondDaemonOnTheSameSocketOrStoreIsRefused) {
  const auto refused = gantry.start_refused();
  EXPECT_NE(refused.exit_status, 0);
  EXPECT_THAT(refused.err, ::testing::AnyOf(::testing::HasSubstr("gantry.sock"), ::testing::HasSubstr("gantry.db")));
  EXPECT_EQ(gantry.gantry({"status"}).exit_status, 0);
}

TEST_F(Restart, StatusNoticesThatADriverFileHasChangedOnDisk) {
  auto driver_state = [&] { return std::string(gantry.ask({"status"}).at("drivers").at(0).at("on_disk").as_string()); };
  EXPECT_EQ(driver_state(), "same");
  std::filesystem::copy_file(gantry.drivers() / "chance.so", gantry.drivers() / "ip.so",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(driver_state(), "changed");
  // Overwriting the file of a loaded driver in place does not harm it.
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
}

}  // namespace
}  // namespace gantry::test
