// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/host_agent.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::agent {
namespace {

using support::ScratchDirectory;
using test::Asked;
using test::FakeDaemon;

json::object cast(const std::string& id, const std::string& method, const std::string& uuid) {
  return {
      {"id", id},
      {"method", method},
      {"args", json::object{{"instance_uuid", uuid},
                            {"instance", json::object{{"uuid", uuid},
                                                      {"name", "web"},
                                                      {"flavor", json::object{{"vcpus", 2}, {"memory_mb", 512}}}}}}}};
}

class Agent : public testing::Test {
 protected:
  Agent() {
    settings_.host.host = "c1";
    settings_.host.disk_path = "/";
    settings_.report_interval = std::chrono::milliseconds(50);
    settings_.longest_poll = std::chrono::milliseconds(10);
    daemon_.on("stats_wanted", R"({"columns":[],"stats":[]})");
    daemon_.on("receive_casts", [this](const json::object&) -> Result<json::value> {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const std::lock_guard lock(mutex_);
      json::array casts;
      for (const json::object& one : waiting_) casts.emplace_back(one);
      return json::value(casts);
    });
    daemon_.on("acknowledge_cast", [this](const json::object& args) -> Result<json::value> {
      const std::lock_guard lock(mutex_);
      std::erase_if(waiting_,
                    [&](const json::object& one) { return *json::find(one, "id") == *json::find(args, "id"); });
      return json::value(json::object());
    });
    open();
  }

  void open() {
    state_.reset();
    auto state = AgentState::open(scratch_.path(), "compute", "c1");
    ASSERT_TRUE(state) << state.error().message;
    state_ = std::move(*state);
  }

  void send(json::object one) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(one));
  }

  // Runs an agent until the daemon was asked what the test waits for.
  void run_until(const std::function<bool()>& reached) {
    std::stop_source stop;
    HostAgent agent(
        settings_, *state_, [this] { return Result<std::unique_ptr<Connection>>(daemon_.connection()); },
        telemetry::Logger::none());
    std::jthread thread([&] { EXPECT_TRUE(agent.run(stop.get_token())); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!reached() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(reached());
    stop.request_stop();
  }

  json::object last_stats() {
    const std::vector<Asked> reports = daemon_.asked("update_resource_stats");
    return reports.empty() ? json::object() : *json::find_object(reports.back().args, "stats");
  }

  ScratchDirectory scratch_;
  FakeDaemon daemon_;
  AgentSettings settings_;
  std::unique_ptr<AgentState> state_;
  std::mutex mutex_;
  std::vector<json::object> waiting_;
};

TEST_F(Agent, RegistersThenReportsThisMachine) {
  run_until([&] { return daemon_.asked("update_resource_stats").size() > 1; });
  EXPECT_EQ(json::write_canonical(daemon_.asked("service_register").front().args),
            R"({"binary":"gantry-agent","host":"c1","topic":"compute"})");
  EXPECT_GE(*json::find_integer(last_stats(), "vcpus"), 1);
  EXPECT_EQ(daemon_.asked("service_register").size(), 1u);
  EXPECT_FALSE(daemon_.asked("report_state").empty());
}

TEST_F(Agent, RegistersAgainIfTheDaemonHasForgottenIt) {
  daemon_.on("report_state", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::not_found, "no such service", ""};
  });
  run_until([&] { return daemon_.asked("service_register").size() > 2; });
}

TEST_F(Agent, OutlivesADaemonThatIsAway) {
  int left = 2;
  daemon_.on("service_register", [&left](const json::object&) -> Result<json::value> {
    if (left-- > 0) return Error{ErrorCode::unavailable, "nobody answers", ""};
    return json::value(json::object());
  });
  run_until([&] { return !daemon_.asked("update_resource_stats").empty(); });
}

TEST_F(Agent, StartsAnInstanceTellsTheDaemonAndReportsItsUse) {
  send(cast("k1", "run_instance", "u1"));
  run_until([&] {
    const json::object stats = last_stats();
    const json::array* running = json::find_array(stats, "instances");
    return !daemon_.asked("update_instance").empty() && running != nullptr && running->size() == 1;
  });
  EXPECT_EQ(json::write_canonical(daemon_.asked("update_instance").front().args),
            R"({"uuid":"u1","vm_state":"active"})");
  EXPECT_EQ(json::find_integer(last_stats(), "vcpus_used"), 2);
  EXPECT_FALSE(daemon_.asked("acknowledge_cast").empty());
}

TEST_F(Agent, RunsTheLaunchCommandWithTheInstanceInItsEnvironment) {
  settings_.launch.launch =
      scratch_.script("launch", "cat > " + scratch_.path() +
                                    "/input\necho $GANTRY_INSTANCE_UUID $GANTRY_INSTANCE_NAME "
                                    "$GANTRY_INSTANCE_VCPUS $GANTRY_INSTANCE_MEMORY_MB $GANTRY_INSTANCE_ROOT_GB > " +
                                    scratch_.path() + "/facts\n");
  send(cast("k1", "run_instance", "u1"));
  run_until([&] { return !daemon_.asked("update_instance").empty(); });
  std::ifstream facts(scratch_.path() + "/facts");
  std::string line;
  std::getline(facts, line);
  EXPECT_EQ(line, "u1 web 2 512 0");
  std::ifstream input(scratch_.path() + "/input");
  std::getline(input, line);
  EXPECT_TRUE(json::parse_object(line)) << line;
}

TEST_F(Agent, GivesTheCommandsLastLineAsTheReasonOfAFailure) {
  settings_.launch.launch = scratch_.script("launch", "echo working; echo 'no image' >&2; exit 4\n");
  send(cast("k1", "run_instance", "u1"));
  run_until([&] { return !daemon_.asked("update_instance").empty() && state_->instances().empty(); });
  EXPECT_EQ(json::write_canonical(daemon_.asked("update_instance").front().args),
            R"({"fault":"no image","uuid":"u1","vm_state":"error"})");
}

TEST_F(Agent, EndsAnInstance) {
  send(cast("k1", "run_instance", "u1"));
  run_until([&] { return !daemon_.asked("update_instance").empty(); });
  settings_.launch.terminate =
      scratch_.script("terminate", "echo $GANTRY_INSTANCE_UUID > " + scratch_.path() + "/ended\n");
  send(cast("k2", "terminate_instance", "u1"));
  run_until([&] { return state_->instances().empty(); });
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/ended"));
}

TEST_F(Agent, DropsARepeatedCastAndAcknowledgesItAgain) {
  settings_.launch.launch = scratch_.script("launch", "echo >> " + scratch_.path() + "/launches\n");
  HostAgent agent(
      settings_, *state_, [this] { return Result<std::unique_ptr<Connection>>(daemon_.connection()); },
      telemetry::Logger::none());
  auto connection = daemon_.connection();
  ASSERT_TRUE(agent.take(cast("k1", "run_instance", "u1"), *connection));
  ASSERT_TRUE(agent.take(cast("k1", "terminate_instance", "u1"), *connection));
  EXPECT_EQ(daemon_.asked("acknowledge_cast").size(), 2u);
  EXPECT_NE(state_->find("u1")->phase, Phase::terminating);
}

TEST_F(Agent, AcknowledgesACastThatItCannotUse) {
  HostAgent agent(
      settings_, *state_, [this] { return Result<std::unique_ptr<Connection>>(daemon_.connection()); },
      telemetry::Logger::none());
  auto connection = daemon_.connection();
  ASSERT_TRUE(agent.take({{"id", "k1"}, {"method", "reboot"}, {"args", json::object()}}, *connection));
  ASSERT_TRUE(agent.take({{"id", "k2"}, {"method", "run_instance"}, {"args", json::object()}}, *connection));
  EXPECT_EQ(daemon_.asked("acknowledge_cast").size(), 2u);
}

TEST_F(Agent, CarriesOutEarlierCastsAfterItsRestart) {
  auto instance = instance_from_cast(*json::find_object(cast("k1", "run_instance", "u1"), "args"));
  ASSERT_TRUE(instance);
  ASSERT_TRUE(state_->take(*instance, "k1"));
  open();
  run_until([&] { return !daemon_.asked("update_instance").empty(); });
  EXPECT_EQ(state_->find("u1")->phase, Phase::active);
}

TEST_F(Agent, TellsOutcomesThatTheDaemonCouldNotHearYet) {
  int left = 1;
  daemon_.on("update_instance", [&left](const json::object&) -> Result<json::value> {
    if (left-- > 0) return Error{ErrorCode::unavailable, "nobody answers", ""};
    return json::value(json::object());
  });
  send(cast("k1", "run_instance", "u1"));
  run_until([&] {
    const auto known = state_->find("u1");
    return known && known->told;
  });
  EXPECT_EQ(daemon_.asked("update_instance").size(), 2u);
}

TEST_F(Agent, EndsAnInstanceThatWasDeletedWhileItWasBeingLaunched) {
  settings_.launch.terminate =
      scratch_.script("terminate", "echo $GANTRY_INSTANCE_UUID >> " + scratch_.path() + "/ended\n");
  daemon_.on("update_instance", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::not_found, "no such instance", ""};
  });
  send(cast("k1", "run_instance", "u1"));
  run_until([&] { return !daemon_.asked("update_instance").empty() && state_->instances().empty(); });
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/ended"));
}

TEST_F(Agent, CountsAnInstanceAsUsedUntilItsTerminateCommandSucceeds) {
  send(cast("k1", "run_instance", "u1"));
  run_until([&] { return !daemon_.asked("update_instance").empty(); });
  settings_.launch.terminate =
      scratch_.script("terminate", "echo >> " + scratch_.path() + "/tries\n[ -e " + scratch_.path() + "/well ]\n");
  send(cast("k2", "terminate_instance", "u1"));
  const auto tries = [&] {
    std::ifstream file(scratch_.path() + "/tries");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  run_until([&] { return tries() >= 2; });
  EXPECT_EQ(state_->find("u1")->phase, Phase::terminating);
  EXPECT_EQ(json::find_integer(last_stats(), "vcpus_used"), 2);
  scratch_.write("well", "", 0644);
  run_until([&] { return state_->instances().empty(); });
}

TEST_F(Agent, TellsAnOutcomeThoughNoConnectionCouldBeMadeAtFirst) {
  std::atomic<int> failures = 2;
  HostAgent agent(
      settings_, *state_,
      [&]() -> Result<std::unique_ptr<Connection>> {
        if (failures-- > 0) return Error{ErrorCode::resource_exhausted, "no descriptors", ""};
        return daemon_.connection();
      },
      telemetry::Logger::none());
  auto connection = daemon_.connection();
  ASSERT_TRUE(agent.take(cast("k1", "run_instance", "u1"), *connection));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (daemon_.asked("update_instance").empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(daemon_.asked("update_instance").size(), 1u);
}

TEST_F(Agent, ClearsKeysWithoutACollectorAtItsStart) {
  daemon_.on("stats_wanted", R"({"columns":["vcpus","stats.rack"],"stats":["rack"]})");
  run_until([&] { return daemon_.asked("update_resource_stats").size() > 1; });
  const auto reports = daemon_.asked("update_resource_stats");
  const json::object first = *json::find_object(reports.front().args, "stats");
  ASSERT_TRUE(first.contains("rack"));
  EXPECT_TRUE(first.at("rack").is_null());
  EXPECT_FALSE(json::find_object(reports.back().args, "stats")->contains("rack")) << "once is enough";
}

TEST_F(Agent, LearnsTheKeysOfAnotherDriverWithoutRegisteringAgain) {
  settings_.host.collectors = scratch_.path() + "/collectors.d";
  std::filesystem::create_directory(settings_.host.collectors);
  scratch_.script("collectors.d/rack",
                  "if [ \"$1\" = --provides ]; then echo rack; else echo '{\"rack\":\"r7\"}'; fi\n");
  run_until([&] {
    if (daemon_.asked("update_resource_stats").size() > 1)
      daemon_.on("stats_wanted", R"({"columns":["stats.rack"],"stats":["rack"]})");
    return json::find_string(last_stats(), "rack") == "r7";
  });
  EXPECT_EQ(daemon_.asked("service_register").size(), 1u);
}

TEST_F(Agent, BeatsOnWhileItsReportsAreRefused) {
  int reports = 0;
  daemon_.on("update_resource_stats", [&reports](const json::object&) -> Result<json::value> {
    if (++reports == 1) return json::value(json::object());
    return Error{ErrorCode::resource_exhausted, "no space left", ""};
  });
  run_until([&] { return daemon_.asked("report_state").size() > 3; });
  EXPECT_EQ(daemon_.asked("service_register").size(), 1u);
}

TEST_F(Agent, ThatIsKnownBeatsThoughItsFirstReportIsRefused) {
  daemon_.on("update_resource_stats", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::resource_exhausted, "no space left", ""};
  });
  run_until([&] { return daemon_.asked("report_state").size() > 1; });
}

TEST_F(Agent, ReportsWithoutItsCollectorsIfTheirValuesAreRefused) {
  settings_.host.collectors = scratch_.path() + "/collectors.d";
  std::filesystem::create_directory(settings_.host.collectors);
  scratch_.script("collectors.d/ratio",
                  "if [ \"$1\" = --provides ]; then echo cpu_allocation_ratio; else echo "
                  "'{\"cpu_allocation_ratio\":\"many\"}'; fi\n");
  daemon_.on("stats_wanted", R"({"columns":["cpu_allocation_ratio"],"stats":[]})");
  daemon_.on("update_resource_stats", [](const json::object& args) -> Result<json::value> {
    if (!json::find_object(args, "stats")->contains("cpu_allocation_ratio")) return json::value(json::object());
    return Error{ErrorCode::invalid_argument, "field 'cpu_allocation_ratio'", ""};
  });
  run_until([&] { return daemon_.asked("report_state").size() > 1; });
  EXPECT_TRUE(last_stats().contains("vcpus"));
}

TEST_F(Agent, OfAnIdleHostReportsTheSameMemoryThoughTheUseWanders) {
  EXPECT_EQ(steady_use(1000, 0, 100'000), 1500) << "never less than is used";
  EXPECT_EQ(steady_use(1400, 1500, 100'000), 1500);
  EXPECT_EQ(steady_use(600, 1500, 100'000), 1500);
  EXPECT_EQ(steady_use(1501, 1500, 100'000), 2001);
  EXPECT_EQ(steady_use(400, 1500, 100'000), 900);
  EXPECT_EQ(steady_use(99'900, 0, 100'000), 100'000) << "never more than there is";
}

TEST_F(Agent, SendsTheWantedKeysOfCollectors) {
  settings_.host.collectors = scratch_.path() + "/collectors.d";
  std::filesystem::create_directory(settings_.host.collectors);
  scratch_.script("collectors.d/rack",
                  "if [ \"$1\" = --provides ]; then echo rack; else echo '{\"rack\":\"r7\"}'; fi\n");
  daemon_.on("stats_wanted", R"({"columns":["vcpus","stats.rack"],"stats":["rack"]})");
  run_until([&] { return !last_stats().empty(); });
  EXPECT_EQ(json::find_string(last_stats(), "rack"), "r7");
}

}  // namespace
}  // namespace gantry::cli::agent
