// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/cli/agent/agent_state.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::agent {
namespace {

using support::ScratchDirectory;

AgentInstance instance(const std::string& uuid, Phase phase = Phase::launching) {
  AgentInstance made;
  made.uuid = uuid;
  made.vcpus = 2;
  made.memory_mb = 512;
  made.disk_gb = 3;
  made.phase = phase;
  made.cast = {{"admin_password", "secret"}};
  return made;
}

class State : public testing::Test {
 protected:
  std::unique_ptr<AgentState> open() {
    auto state = AgentState::open(scratch_.path() + "/state", "compute", "c1");
    EXPECT_TRUE(state) << state.error().message;
    return state ? std::move(*state) : nullptr;
  }
  ScratchDirectory scratch_;
};

TEST_F(State, OutlivesARestart) {
  {
    auto state = open();
    state->set_idle({100, 5});
    ASSERT_TRUE(state->take(instance("u1"), "cast-1"));
    ASSERT_TRUE(state->launched("u1", ""));
    ASSERT_TRUE(state->take(instance("u2"), "cast-2"));
  }
  auto state = open();
  EXPECT_TRUE(state->has_seen("cast-1"));
  EXPECT_TRUE(state->has_seen("cast-2"));
  EXPECT_FALSE(state->has_seen("cast-3"));
  EXPECT_EQ(state->find("u1")->phase, Phase::active);
  EXPECT_EQ(state->find("u2")->phase, Phase::launching);
  EXPECT_EQ(json::write(state->find("u2")->cast), R"({"admin_password":"secret"})");
  EXPECT_EQ(state->idle().memory_mb, 100);
  EXPECT_EQ(state->use().vcpus, 4);
}

TEST_F(State, DropsTheCastOnceItIsCarriedOut) {
  auto state = open();
  ASSERT_TRUE(state->take(instance("u1"), "cast-1"));
  ASSERT_TRUE(state->launched("u1", ""));
  EXPECT_TRUE(state->find("u1")->cast.empty());
}

TEST_F(State, IsReadableByItsOwnerAlone) {
  auto state = open();
  struct stat facts {};
  ASSERT_EQ(::stat((scratch_.path() + "/state/compute-c1.json").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(State, BelongsToOneAgentAtATime) {
  auto state = open();
  auto second = AgentState::open(scratch_.path() + "/state", "compute", "c1");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, testing::HasSubstr("another agent"));
  EXPECT_TRUE(AgentState::open(scratch_.path() + "/state", "compute", "c2"));
}

TEST_F(State, RefusesABrokenFile) {
  open().reset();
  scratch_.write("state/compute-c1.json", "{\"instances\": [");
  auto state = AgentState::open(scratch_.path() + "/state", "compute", "c1");
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message, testing::HasSubstr("compute-c1.json"));
}

TEST_F(State, ForgetsAFailedInstanceOnceTheDaemonKnows) {
  auto state = open();
  ASSERT_TRUE(state->take(instance("u1"), "cast-1"));
  ASSERT_TRUE(state->launched("u1", "no space"));
  EXPECT_EQ(state->find("u1")->fault, "no space");
  EXPECT_EQ(state->use().count, 0);
  ASSERT_TRUE(state->told("u1"));
  EXPECT_FALSE(state->find("u1"));
}

TEST_F(State, EndsAnInstanceThatWasStillToBeStarted) {
  auto state = open();
  ASSERT_TRUE(state->take(instance("u1"), "cast-1"));
  ASSERT_TRUE(state->take(instance("u1", Phase::terminating), "cast-2"));
  ASSERT_TRUE(state->launched("u1", ""));
  EXPECT_EQ(state->find("u1")->phase, Phase::terminating);
}

TEST_F(State, DoesNotStartAnInstanceThatRuns) {
  auto state = open();
  ASSERT_TRUE(state->take(instance("u1"), "cast-1"));
  ASSERT_TRUE(state->launched("u1", ""));
  ASSERT_TRUE(state->told("u1"));
  ASSERT_TRUE(state->take(instance("u1"), "cast-2"));
  EXPECT_EQ(state->find("u1")->phase, Phase::active);
  EXPECT_FALSE(state->find("u1")->told);
}

TEST(AgentStateDirectory, NamesADirectoryThatCannotBeMade) {
  auto state = AgentState::open("/proc/gantry-agent", "compute", "c1");
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message, testing::HasSubstr("--state-dir"));
}

TEST(InstanceOfACast, HasTheSizesOfItsFlavor) {
  auto parsed =
      json::parse_object(R"({"instance_uuid":"u","instance":{"uuid":"u","name":"web",)"
                         R"("flavor":{"vcpus":2,"memory_mb":512,"root_gb":10,"ephemeral_gb":5,"swap":1500}}})");
  ASSERT_TRUE(parsed);
  auto made = instance_from_cast(*parsed);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->name, "web");
  EXPECT_EQ(made->vcpus, 2);
  EXPECT_EQ(made->disk_gb, 17) << "a begun GB of swap is a GB";
  EXPECT_FALSE(instance_from_cast({{"instance", json::object()}}));
}

TEST_F(State, IsReadAgainWithTheDeepestCastThatAnAnswerBrings) {
  json::value deep = 1;
  for (std::size_t at = 4; at < json::max_depth; ++at) deep = json::object{{"a", deep}};
  auto taken = instance_from_cast({{"instance_uuid", "u1"}, {"kwargs", deep}});
  ASSERT_TRUE(taken);
  ASSERT_TRUE(open()->take(*taken, "k1"));
  EXPECT_TRUE(open()->find("u1"));
}

}  // namespace
}  // namespace gantry::cli::agent
