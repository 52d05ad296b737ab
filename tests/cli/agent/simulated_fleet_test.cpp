// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/simulated_fleet.hpp"

#include <gmock/gmock.h>

#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::agent {
namespace {

using test::FakeDaemon;

json::object run_cast(const std::string& id, const std::string& host, const std::string& uuid) {
  return {
      {"id", id},
      {"host", host},
      {"method", "run_instance"},
      {"args", json::object{{"instance", json::object{{"uuid", uuid},
                                                      {"flavor", json::object{{"vcpus", 2}, {"memory_mb", 512}}}}}}}};
}

std::vector<SimulatedHostSettings> hosts(std::size_t count) {
  std::vector<SimulatedHostSettings> all(count);
  for (std::size_t at = 0; at < count; ++at) all[at].name = "c" + std::to_string(at + 1);
  return all;
}

class Shard : public testing::Test {
 protected:
  Shard() {
    daemon_.on("list_instances", "[]");
    daemon_.on("receive_casts", "[]");
  }
  std::unique_ptr<SimulatedShard> make(std::vector<SimulatedHostSettings> settings) {
    return std::make_unique<SimulatedShard>(std::move(settings), std::chrono::hours(1), daemon_.connection(), *logger_);
  }
  FakeDaemon daemon_;
  std::shared_ptr<telemetry::Logger> logger_ = telemetry::Logger::none();
};

TEST_F(Shard, RegistersAndReportsEachHost) {
  auto shard = make(hosts(3));
  ASSERT_TRUE(shard->begin());
  EXPECT_EQ(daemon_.asked("service_register").size(), 3u);
  const auto reports = daemon_.asked("update_resource_stats");
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(json::find_integer(*json::find_object(reports[0].args, "stats"), "vcpus"), 8);
}

TEST_F(Shard, AsksForTheCastsOfAllItsHostsAtOnce) {
  auto shard = make(hosts(200));
  ASSERT_TRUE(shard->begin());
  ASSERT_TRUE(shard->turn({}));
  const auto polls = daemon_.asked("receive_casts");
  ASSERT_EQ(polls.size(), 1u);
  EXPECT_EQ(json::find_array(polls[0].args, "hosts")->size(), 200u);
}

TEST_F(Shard, BootsAnInstanceAndReportsItsUse) {
  auto shard = make(hosts(2));
  ASSERT_TRUE(shard->begin());
  daemon_.on("receive_casts", [](const json::object&) -> Result<json::value> {
    return json::value(json::array{run_cast("k1", "c2", "u1")});
  });
  ASSERT_TRUE(shard->turn({}));
  EXPECT_EQ(daemon_.asked("acknowledge_cast").size(), 1u);
  EXPECT_EQ(json::write_canonical(daemon_.asked("update_instance").front().args),
            R"({"uuid":"u1","vm_state":"active"})");
  const json::object report = daemon_.asked("update_resource_stats").back().args;
  EXPECT_EQ(json::find_string(report, "name"), "c2");
  EXPECT_EQ(json::find_integer(*json::find_object(report, "stats"), "memory_mb_used"), 512);
  ASSERT_TRUE(shard->turn({}));
  EXPECT_EQ(daemon_.asked("update_instance").size(), 1u) << "the repeat of the cast changes nothing";
}

TEST_F(Shard, FailsLaunchesThatAreToFail) {
  auto settings = hosts(1);
  settings[0].fault = "no image";
  auto shard = make(settings);
  ASSERT_TRUE(shard->begin());
  daemon_.on("receive_casts", [](const json::object&) -> Result<json::value> {
    return json::value(json::array{run_cast("k1", "c1", "u1")});
  });
  ASSERT_TRUE(shard->turn({}));
  EXPECT_EQ(json::write_canonical(daemon_.asked("update_instance").front().args),
            R"({"fault":"no image","uuid":"u1","vm_state":"error"})");
  EXPECT_EQ(json::find_integer(*json::find_object(daemon_.asked("update_resource_stats").back().args, "stats"),
                               "running_vms"),
            0);
}

TEST_F(Shard, ForgetsAnInstanceThatWasDeletedWhileItBooted) {
  auto shard = make(hosts(1));
  ASSERT_TRUE(shard->begin());
  daemon_.on("update_instance", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::not_found, "no such instance", ""};
  });
  daemon_.on("receive_casts", [](const json::object&) -> Result<json::value> {
    return json::value(json::array{run_cast("k1", "c1", "u1")});
  });
  ASSERT_TRUE(shard->turn({}));
  const json::object stats = *json::find_object(daemon_.asked("update_resource_stats").back().args, "stats");
  EXPECT_TRUE(json::find_array(stats, "instances")->empty());
}

TEST_F(Shard, TellsAnOutcomeAgainThatTookTheDaemonTooLong) {
  auto shard = make(hosts(1));
  ASSERT_TRUE(shard->begin());
  int left = 1;
  daemon_.on("update_instance", [&left](const json::object&) -> Result<json::value> {
    if (left-- > 0) return Error{ErrorCode::deadline_exceeded, "too slow", ""};
    return json::value(json::object());
  });
  daemon_.on("receive_casts", [](const json::object&) -> Result<json::value> {
    return json::value(json::array{run_cast("k1", "c1", "u1")});
  });
  EXPECT_FALSE(shard->turn({}));
  EXPECT_TRUE(shard->turn({}));
  EXPECT_EQ(daemon_.asked("update_instance").size(), 2u);
}

TEST_F(Shard, BeatsForEachHostWhileTheDaemonsDiskIsFull) {
  SimulatedShard shard(hosts(3), std::chrono::milliseconds(0), daemon_.connection(), *logger_);
  ASSERT_TRUE(shard.begin());
  const auto full = [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::resource_exhausted, "no space left", ""};
  };
  for (const auto* method : {"update_resource_stats", "acknowledge_cast"}) daemon_.on(method, full);
  daemon_.on("receive_casts", [](const json::object&) -> Result<json::value> {
    return json::value(json::array{run_cast("k1", "c2", "u1")});
  });
  const auto turned = shard.turn({});
  ASSERT_FALSE(turned);
  EXPECT_EQ(turned.error().code, ErrorCode::resource_exhausted);
  EXPECT_EQ(daemon_.asked("report_state").size(), 3u);
}

TEST_F(Shard, AdoptsTheInstancesThatTheDaemonLists) {
  daemon_.on("list_instances",
             R"([{"uuid":"u1","host":"c1","flavor":{"vcpus":3}},{"uuid":"u2","host":"elsewhere","flavor":{}}])");
  auto shard = make(hosts(1));
  ASSERT_TRUE(shard->begin());
  const json::object stats = *json::find_object(daemon_.asked("update_resource_stats").back().args, "stats");
  EXPECT_EQ(json::find_integer(stats, "vcpus_used"), 3);
  EXPECT_EQ(json::find_array(stats, "instances")->size(), 1u);
}

TEST(SimulatedHost, BootsNoSoonerThanItsTime) {
  SimulatedHostSettings settings;
  settings.name = "c1";
  settings.boot_time = std::chrono::seconds(5);
  SimulatedHost host(settings);
  const auto now = SimulatedHost::Clock::now();
  host.take(run_cast("k1", "c1", "u1"), now);
  EXPECT_TRUE(host.due(now + std::chrono::seconds(4)).empty());
  EXPECT_EQ(host.due(now + std::chrono::seconds(5)).size(), 1u);
  host.settled("u1");
  EXPECT_TRUE(host.due(now + std::chrono::seconds(6)).empty());
}

TEST(SimulatedHost, ReportsWhatTheFileAddsAndCountsUseOnTopOfIt) {
  SimulatedHostSettings settings;
  settings.name = "c1";
  settings.stats = {{"rack", "r1"}, {"memory_mb_used", 100}};
  SimulatedHost host(settings);
  host.take(run_cast("k1", "c1", "u1"), SimulatedHost::Clock::now());
  const json::object stats = host.stats();
  EXPECT_EQ(json::find_string(stats, "rack"), "r1");
  EXPECT_EQ(json::find_integer(stats, "memory_mb_used"), 612);
}

TEST(Simulation, WaitsForADaemonThatIsSlowOrAway) {
  FakeDaemon daemon;
  daemon.on("list_instances", "[]");
  daemon.on("receive_casts", "[]");
  std::stop_source stop;
  int tries = 0;
  daemon.on("service_register", [&](const json::object&) -> Result<json::value> {
    if (++tries == 1) return Error{ErrorCode::deadline_exceeded, "too slow", ""};
    if (tries == 2) return Error{ErrorCode::unavailable, "nobody answers", ""};
    stop.request_stop();
    return json::value(json::object());
  });
  const NewConnection connect = [&] { return Result<std::unique_ptr<Connection>>(daemon.connection()); };
  auto logger = telemetry::Logger::none();
  EXPECT_TRUE(simulate(hosts(1), std::chrono::seconds(10), false, connect, *logger, stop.get_token()));
  EXPECT_EQ(tries, 3);
}

TEST(Simulation, SplitsAThousandHostsAmongFewThreadsAndEndsAfterOneReportIfAsked) {
  FakeDaemon daemon;
  daemon.on("list_instances", "[]");
  int connections = 0;
  const NewConnection connect = [&] {
    ++connections;
    return Result<std::unique_ptr<Connection>>(daemon.connection());
  };
  auto logger = telemetry::Logger::none();
  ASSERT_TRUE(simulate(hosts(1000), std::chrono::seconds(10), true, connect, *logger, {}));
  EXPECT_EQ(daemon.asked("service_register").size(), 1000u);
  EXPECT_LE(connections, 4);
}

}  // namespace
}  // namespace gantry::cli::agent
