// SPDX-License-Identifier: Apache-2.0
//
// A site's own filter and weigher, built from the starter project, beside the filter driver's in a real gantryd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto three_hosts = R"(
[[hosts]]
name = "poor"
vcpus = 4
memory_mb = 8192
local_gb = 100
stats = { power_left_w = 100, rack = "r1" }
[[hosts]]
name = "rich"
vcpus = 4
memory_mb = 8192
local_gb = 100
stats = { power_left_w = 900, rack = "r2" }
[[hosts]]
name = "silent"
vcpus = 4
memory_mb = 8192
local_gb = 100
)";

class FilterOffers : public ::testing::Test {
 protected:
  FilterOffers() {
    const auto library = gantry.drivers() / "site_filters.so";
    std::filesystem::copy_file(GANTRY_SITE_FILTERS, library);
    std::filesystem::permissions(library, std::filesystem::perms(0644));
  }
  static std::string site(const std::string& more) {
    return "[driver.filter]\nlibraries = [\"site_filters.so\"]\n" + more;
  }
  void serve(const std::string& more) {
    gantry.configure("[\"filter\"]", site(more));
    gantry.start();
    gantry.simulate(three_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 3; }));
  }
  // What `config check` says; and gantryd, which has to refuse it too.
  std::string refused(const std::string& more) {
    gantry.configure("[\"filter\"]", site(more));
    const auto started = gantry.start_refused();
    EXPECT_NE(started.exit_status, 0);
    const auto checked = gantry.gantry({"--config", gantry.config_file(), "config", "check"});
    EXPECT_EQ(checked.exit_status, 78) << checked.out;
    return checked.err;
  }
  std::string chosen(std::vector<std::string> words) {
    words.insert(words.begin(), {"select", "--vcpus", "1", "--memory-mb", "64"});
    const auto answer = gantry.ask(words).as_array();
    return answer.empty() ? "none" : std::string(answer[0].as_object().at("host").as_string());
  }

  RunningGantry gantry;
};

TEST_F(FilterOffers, ASitesFilterDecidesBesideTheDriversOwn) {
  serve(
      "enabled_filters = [\"ComputeFilter\", \"PowerFilter\", \"RamFilter\", \"RackFilter\"]\n"
      "[driver.filter.options.PowerFilter]\nreserve_w = 50\n");
  EXPECT_EQ(chosen({"--extra-spec", "site:power_w=51"}), "rich");
  EXPECT_EQ(chosen({"--hint", "rack=r1"}), "poor");
  const auto ran = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "64", "--extra-spec", "site:power_w=2000"});
  EXPECT_EQ(ran.exit_status, 3);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("PowerFilter"), HasSubstr("they have too little power left"),
                             HasSubstr("2000 power_w wanted, at most 850"), HasSubstr("stats.power_left_w")));
  EXPECT_THAT(ran.err, Not(HasSubstr("RackFilter")));  // nothing came so far
}

TEST_F(FilterOffers, AFailureNamesTheFilterAndItsLibrary) {
  serve("enabled_filters = [\"PowerFilter\"]\n");
  const auto ran = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "64", "--extra-spec", "site:power_w=much"});
  EXPECT_NE(ran.exit_status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("PowerFilter of site_filters"), HasSubstr("expected watts, found 'much'")));
}

TEST_F(FilterOffers, ASitesWeigherPutsHostsInOrderAndItsOptionSaysHowMuchItCounts) {
  serve("weight_classes = [\"PowerWeigher\"]\n");
  EXPECT_EQ(chosen({}), "rich");
  gantry.end_simulation();
  ASSERT_EQ(gantry.stop(), 0);
  serve(
      "weight_classes = [\"nova.scheduler.weights.all_weighers\", \"PowerWeigher\"]\n"
      "[driver.filter.options.PowerWeigher]\npower_weight_multiplier = -1.0\n");
  EXPECT_NE(chosen({}), "rich");
  // An aggregate says otherwise for its hosts: a score of 1 counts 8 there.
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "powerful"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"aggregate", "add-host", "powerful", "rich"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"aggregate", "set", "--property", "power_weight_multiplier=8", "powerful"}).exit_status, 0);
  EXPECT_EQ(chosen({}), "rich");
}

TEST_F(FilterOffers, WrongNamesAreRefusedWithWhatThereIs) {
  EXPECT_THAT(refused("enabled_filters = [\"ComputeFilter\", \"PowerFliter\"]\n"),
              AllOf(HasSubstr("driver.filter.enabled_filters"), HasSubstr("found 'PowerFliter'"),
                    HasSubstr("RamFilter"), HasSubstr("RackFilter"), HasSubstr("did you mean 'PowerFilter'?")));
  EXPECT_THAT(refused("weight_classes = [\"PowerFilter\"]\n"),
              AllOf(HasSubstr("driver.filter.weight_classes"), HasSubstr("gantry.weigher/1"), HasSubstr("RAMWeigher"),
                    HasSubstr("PowerWeigher")));
}

TEST_F(FilterOffers, TheCheckKnowsTheNamesOfTheLibraries) {
  gantry.configure("[\"filter\"]", site("weight_classes = [\"PowerWeigher\"]\n"));
  const auto checked = gantry.gantry({"--config", gantry.config_file(), "config", "check"});
  EXPECT_EQ(checked.exit_status, 0) << checked.err;
  EXPECT_EQ(checked.err, "");
}

TEST_F(FilterOffers, AnOptionThatNoEnabledFilterGuardsGivesAWarning) {
  serve("enabled_filters = [\"ComputeFilter\", \"AggregateRamFilter\", \"DiskFilter\"]\n");
  const auto checked = gantry.gantry({"--config", gantry.config_file(), "config", "check"});
  EXPECT_EQ(checked.exit_status, 0) << checked.err;
  const auto warning = AllOf(HasSubstr("driver.filter.enabled_filters"), HasSubstr("more vcpus than a host has"),
                             HasSubstr("CoreFilter"), Not(HasSubstr("more memory")), Not(HasSubstr("more disk")));
  EXPECT_THAT(checked.err, warning);
  EXPECT_THAT(gantry.log(), warning);
}

}  // namespace
}  // namespace gantry::test
