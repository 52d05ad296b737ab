// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

class AgentCommand : public testing::Test {
 protected:
  Ran agent(std::vector<std::string> more) {
    std::vector<std::string> words{"agent", "--quiet", "--once", "--host", "c1", "--state-dir", scratch_.path()};
    words.insert(words.end(), more.begin(), more.end());
    return run(daemon_, words);
  }
  support::ScratchDirectory scratch_;
  FakeDaemon daemon_;
};

TEST_F(AgentCommand, RegistersReportsAndEndsIfAskedTo) {
  const Ran ran = agent({"--topic", "batch", "--node", "n1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::find_string(daemon_.asked("service_register").front().args, "topic"), "batch");
  const json::object report = daemon_.asked("update_resource_stats").front().args;
  EXPECT_EQ(json::write(*json::find(report, "name")), R"(["c1","n1"])");
  EXPECT_TRUE(report.contains("sampled_at"));
}

TEST_F(AgentCommand, RefusesACommandThatIsNotThere) {
  const Ran ran = agent({"--launch", "/nowhere/start"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("--launch /nowhere/start"));
}

TEST_F(AgentCommand, RefusesADirectoryOfCollectorsThatIsNotThere) {
  const Ran ran = agent({"--collectors", "/nowhere/collectors.d"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere/collectors.d"));
}

TEST_F(AgentCommand, KeepsItsStateWhereTheUserKeepsState) {
  EXPECT_EQ(
      run(daemon_, {"agent", "--quiet", "--once", "--host", "c1"}, "", {{"XDG_STATE_HOME", scratch_.path()}}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/gantry-agent/compute-c1.json"));
}

TEST_F(AgentCommand, SimulatesTheHostsOfAFile) {
  daemon_.on("list_instances", "[]");
  const std::string file = scratch_.write("fleet.toml", "[[hosts]]\nname = 'c{1..3}'\n");
  EXPECT_EQ(agent({"--simulate", file}).code, 0);
  EXPECT_EQ(daemon_.asked("service_register").size(), 3u);
}

TEST_F(AgentCommand, EndsWithSeventyEightForASimulationThatIsWrong) {
  const std::string file = scratch_.write("fleet.toml", "[[hosts]]\nname = 'c'\nvcpu = 1\n");
  const Ran ran = agent({"--simulate", file});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr("fleet.toml:3:1: hosts.vcpu"));
}

}  // namespace
}  // namespace gantry::cli::test
