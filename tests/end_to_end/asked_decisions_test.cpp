// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto six_hosts = R"(
[[hosts]]
name = "small{1..4}"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "large{1..2}"
vcpus = 32
memory_mb = 65536
local_gb = 1000
)";

class AskedDecisions : public ::testing::Test {
 protected:
  AskedDecisions() {
    gantry.configure("[\"filter\"]");
    gantry.start();
    gantry.simulate(six_hosts);
    EXPECT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 6; }));
  }
  Ran create(const std::vector<std::string>& more) {
    std::vector<std::string> words{"server", "create", "--no-wait"};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.gantry(words);
  }

  RunningGantry gantry;
};

TEST_F(AskedDecisions, TellWhyAServerIsWhereItIs) {
  create({"--vcpus", "2", "--memory-mb", "4096", "web"});
  const auto why = gantry.gantry({"why", "web", "--explain"});
  EXPECT_EQ(why.exit_status, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("placed"));
  EXPECT_THAT(why.out, HasSubstr("RamFilter"));
  EXPECT_THAT(why.out, HasSubstr("large1"));
}

TEST_F(AskedDecisions, TellWhyNotOnThatHost) {
  create({"--vcpus", "8", "--memory-mb", "16384", "web"});
  const auto small = gantry.gantry({"why-not", "web", "small1"});
  EXPECT_EQ(small.exit_status, 0) << small.err;
  EXPECT_THAT(small.out, HasSubstr("rejected"));
  EXPECT_THAT(small.out, HasSubstr("CoreFilter: 8 vcpus wanted, 4 there"));
  const auto nowhere = gantry.gantry({"why-not", "web", "nowhere"});
  EXPECT_THAT(nowhere.out, HasSubstr("there was no such host at that time"));
}

TEST_F(AskedDecisions, NameWhatWouldHaveFoundAHost) {
  create({"--vcpus", "2", "--memory-mb", "100000", "huge"});
  const auto why = gantry.gantry({"why", "huge"});
  EXPECT_THAT(why.out, HasSubstr("MiB less memory"));
  const auto selected = gantry.gantry({"select", "--vcpus", "2", "--memory-mb", "512", "--zone", "az9"});
  EXPECT_EQ(selected.exit_status, 3);
  EXPECT_THAT(selected.err, HasSubstr("With zone nova (6 hosts) there would be one"));
}

TEST_F(AskedDecisions, AreTheSameAfterARestart) {
  create({"--vcpus", "2", "--memory-mb", "4096", "web"});
  const auto before = gantry.gantry({"-o", "json", "why-not", "web", "small1"});
  ASSERT_EQ(before.exit_status, 0) << before.err;
  gantry.kill();
  gantry.start();
  const auto after = gantry.gantry({"-o", "json", "why-not", "web", "small1"});
  EXPECT_EQ(before.out, after.out);
}

TEST_F(AskedDecisions, AreListedWithTheirOutcome) {
  create({"--vcpus", "2", "--memory-mb", "4096", "web"});
  create({"--vcpus", "2", "--memory-mb", "100000", "huge"});
  EXPECT_EQ(gantry.list({"decision", "list"}).size(), 2U);
  EXPECT_EQ(gantry.list({"decision", "list", "--outcome", "no_valid_host"}).size(), 1U);
  EXPECT_EQ(gantry.list({"decision", "list", "--host", "large1"}).size(), 1U);
  const auto wrong = gantry.gantry({"decision", "list", "--outcome", "lost"});
  EXPECT_EQ(wrong.exit_status, 2);
  const auto unknown = gantry.gantry({"decision", "show", "4711"});
  EXPECT_NE(unknown.exit_status, 0);
  EXPECT_THAT(unknown.err, HasSubstr("no decision 4711 is kept"));
}

TEST_F(AskedDecisions, CanBeDeletedWhileTheServiceRuns) {
  create({"--vcpus", "2", "--memory-mb", "4096", "web"});
  EXPECT_EQ(gantry.list({"decision", "list"}).size(), 1U);
  std::filesystem::remove_all(gantry.directory() / "decisions");
  std::filesystem::create_directory(gantry.directory() / "decisions");
  create({"--vcpus", "2", "--memory-mb", "4096", "other"});
  EXPECT_TRUE(eventually([&] { return gantry.list({"decision", "list"}).size() == 1U; }));
  const auto why = gantry.gantry({"why", "web"});
  EXPECT_NE(why.exit_status, 0);
  EXPECT_THAT(why.err, HasSubstr("is kept"));
}

TEST_F(AskedDecisions, AreNotKeptIfTheConfigurationSaysSo) {
  gantry.stop();
  gantry.configure("[\"filter\"]", "decisions.keep = 0\n");
  gantry.start();
  create({"--vcpus", "2", "--memory-mb", "4096", "web"});
  const auto listed = gantry.gantry({"decision", "list"});
  EXPECT_NE(listed.exit_status, 0);
  EXPECT_THAT(listed.err, HasSubstr("decisions.keep"));
}

}  // namespace
}  // namespace gantry::test
