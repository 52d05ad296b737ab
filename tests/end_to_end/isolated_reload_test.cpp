// SPDX-License-Identifier: Apache-2.0
//
// A reload gives the new options to a second process of an isolated driver, and the first one ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto small_and_big = R"(
[[hosts]]
name = "small"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "big"
vcpus = 4
memory_mb = 65536
local_gb = 100
)";

class ReloadOfAnIsolatedDriver : public ::testing::Test {
 protected:
  void SetUp() override {
    configure("1.0");
    gantry.start();
    gantry.simulate(small_and_big);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  void configure(const std::string& multiplier) {
    gantry.configure("\"filter\"",
                     "[driver.filter]\nisolation = \"process\"\nram_weight_multiplier = " + multiplier + "\n");
  }
  std::string selected() const { return gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "64"}).out; }
  std::int64_t process() const {
    const auto status = gantry.ask({"status"});
    return status.at("drivers").as_array().at(0).at("process").at("pid").as_int64();
  }
  // The processes that gantryd has started and that are there.
  std::vector<std::int64_t> children() const {
    std::vector<std::int64_t> found;
    const auto tasks = std::filesystem::path("/proc") / std::to_string(gantry.pid()) / "task";
    for (const auto& task : std::filesystem::directory_iterator(tasks)) {
      std::ifstream list(task.path() / "children");
      for (std::int64_t child = 0; list >> child;) found.push_back(child);
    }
    return found;
  }
  bool comes_to_have_one_child() const {
    return eventually([this] { return children() == std::vector<std::int64_t>{process()}; });
  }

  RunningGantry gantry;
};

TEST_F(ReloadOfAnIsolatedDriver, ReachesASecondProcessAndTheFirstEnds) {
  EXPECT_THAT(selected(), HasSubstr("big"));
  const auto first = process();
  configure("-1.0");
  const auto reloaded = gantry.gantry({"reload"});
  EXPECT_EQ(reloaded.out, "driver.filter.ram_weight_multiplier: 1.0 -> -1.0\n") << reloaded.err;
  EXPECT_THAT(selected(), HasSubstr("small"));
  EXPECT_NE(process(), first);
  EXPECT_TRUE(eventually([first] { return ::kill(static_cast<pid_t>(first), 0) != 0; }));
  EXPECT_TRUE(comes_to_have_one_child());
}

TEST_F(ReloadOfAnIsolatedDriver, LeavesTheProcessAloneWhoseOptionsAreTheSame) {
  const auto first = process();
  gantry.configure("\"filter\"",
                   "log.level = \"debug\"\n[driver.filter]\nisolation = \"process\"\nram_weight_multiplier = 1.0\n");
  EXPECT_EQ(gantry.gantry({"reload"}).exit_status, 0);
  EXPECT_EQ(process(), first);
}

TEST_F(ReloadOfAnIsolatedDriver, ByHangUpLeavesNoProcessBehindHoweverOften) {
  for (int turn = 0; turn < 4; ++turn) {
    const auto before = process();
    configure(turn % 2 == 0 ? "-1.0" : "1.0");
    gantry.signal(SIGHUP);
    ASSERT_TRUE(eventually([&] { return process() != before; }));
    EXPECT_THAT(selected(), HasSubstr(turn % 2 == 0 ? "small" : "big"));
  }
  EXPECT_TRUE(comes_to_have_one_child());
}

TEST_F(ReloadOfAnIsolatedDriver, ThatRefusesItsOptionsKeepsTheProcess) {
  const auto first = process();
  gantry.configure("\"filter\"", "[driver.filter]\nisolation = \"process\"\nenabled_filters = [\"NoSuchFilter\"]\n");
  const auto refused = gantry.gantry({"reload"});
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("NoSuchFilter"), HasSubstr("nothing was applied")));
  EXPECT_EQ(process(), first);
  EXPECT_THAT(selected(), HasSubstr("big"));
  EXPECT_THAT(children(), ElementsAre(first));
}

}  // namespace
}  // namespace gantry::test
