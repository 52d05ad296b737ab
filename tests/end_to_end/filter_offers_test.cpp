// SPDX-License-Identifier: Apache-2.0
//
// A site's own filter and weigher, built from the starter project, beside the filter driver's in a real gantryd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"

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

TEST_F(FilterOffers, RunsWithItsDriverInAProcessOfItsOwn) {
  serve(
      "isolation = \"process\"\nenabled_filters = [\"PowerFilter\", \"RackFilter\"]\n"
      "[driver.filter.options.PowerFilter]\nreserve_w = 50\n");
  EXPECT_EQ(chosen({"--extra-spec", "site:power_w=51"}), "rich");
  EXPECT_EQ(chosen({"--hint", "rack=r1"}), "poor");
  const auto ran = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", "64", "--extra-spec", "site:power_w=much"});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("PowerFilter of site_filters"), HasSubstr("expected watts, found 'much'")));
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

TEST_F(FilterOffers, AReasonOfAHostSpeaksOfThatHostAlone) {
  serve("enabled_filters = [\"PowerFilter\"]\n");
  const auto ran =
      gantry.gantry({"-o", "json", "select", "--vcpus", "1", "--extra-spec", "site:power_w=2000", "--explain"});
  std::map<std::string, std::string> reasons;
  const auto explained = ran.json();
  for (const auto& host : explained.at("decision").at("instances").at(0).at("hosts").as_array()) {
    const auto& verdict = host.at("verdicts").as_array().at(0);
    reasons[std::string(host.at("host").as_string())] = verdict.at("reason").as_string();
  }
  EXPECT_EQ(reasons["poor"], "they have too little power left: 2000 power_w wanted, 100 there");
  EXPECT_EQ(reasons["rich"], "they have too little power left: 2000 power_w wanted, 900 there");
  EXPECT_EQ(reasons["silent"], "it does not report stats.power_left_w");
  EXPECT_THAT(gantry.gantry({"select", "--vcpus", "1", "--extra-spec", "site:power_w=2000"}).err,
              HasSubstr("at most 900 on a host that came so far; 1 host does not report stats.power_left_w"));
}

class FaultyOffers : public FilterOffers {
 protected:
  void serve() {
    const auto library = gantry.drivers() / "faulty_offers.so";
    std::filesystem::copy_file(GANTRY_FAULTY_OFFERS, library);
    std::filesystem::permissions(library, std::filesystem::perms(0644));
    gantry.configure("[\"filter\"]",
                     "[driver.filter]\nlibraries = [\"faulty_offers.so\"]\nenabled_filters = [\"FaultyFilter\"]\n"
                     "weight_classes = [\"FaultyWeigher\"]\n");
    gantry.start();
    gantry.simulate(three_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 3; }));
  }
  // The status and the body of the answer.
  std::pair<unsigned, std::string> select(const std::string& fault) {
    gantry::testing::RawConnection connection(gantry.socket_path());
    connection.send(gantry::testing::post(
        "select_destinations", R"({"args": {"request_spec": {"num_instances": 1, "instance_type": {"vcpus": 1,
            "memory_mb": 64, "root_gb": 1}}, "filter_properties": {"scheduler_hints": {"fault": [")" +
                                   fault + R"("]}}}})"));
    const auto answer = connection.answer();
    if (!answer) return {0, "no answer"};
    return {answer->status, answer->body};
  }
};

TEST_F(FaultyOffers, AreNamedWithStatus500WhereTheyBreakTheRules) {
  serve();
  const std::string filter = "FaultyFilter of faulty_offers: expected ";
  const std::string weigher = "FaultyWeigher of faulty_offers: expected ";
  const std::map<std::string, std::string> said{
      {"code", filter + "a code with which an operation may end, found 42"},
      {"claim_lost", filter + "a code with which an operation may end, found "},
      {"pick", "FaultyFilter of faulty_offers: pick: expected a driver to call it, found a filter or weigher"},
      {"nan_limit", filter + "a finite number that is not negative for limits.memory_mb, found NaN"},
      {"negative_limit", filter + "a finite number that is not negative for limits.vcpu, found -1"},
      {"present", filter + "no bits in limits.present but 7, found 4294967295"},
      {"weigher_code", weigher + "a code with which an operation may end, found -1"},
      {"nan_score", weigher + "the score of host "}};
  for (const auto& [fault, sentence] : said) {
    const auto [status, body] = select(fault);
    EXPECT_EQ(status, 500U) << fault << ": " << body;
    EXPECT_THAT(body, HasSubstr(sentence)) << fault;
    EXPECT_THAT(body, Not(HasSubstr(".?"))) << fault;
  }
}

TEST_F(FaultyOffers, GetScoresOfAnyFiniteSizeCounted) {
  serve();
  EXPECT_EQ(select("none").first, 200U);
  const auto ran = gantry.gantry({"-o", "json", "select", "--vcpus", "1", "--explain"});
  EXPECT_EQ(ran.exit_status, 0) << ran.err;
  std::multiset<double> weights;
  const auto explained = ran.json();
  for (const auto& host : explained.at("decision").at("instances").at(0).at("hosts").as_array())
    weights.insert(host.at("weight").to_number<double>());
  EXPECT_EQ(weights, (std::multiset<double>{0, 1, 1}));
}

TEST_F(FaultyOffers, GiveNoAmountThatIsNoNumber) {
  serve();
  const auto ran = gantry.gantry({"select", "--vcpus", "1", "--hint", "fault=reason"});
  EXPECT_EQ(ran.exit_status, 3);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("they are too hot: FaultyFilter of faulty_offers gives amounts that are no "
                                       "finite numbers"),
                             Not(HasSubstr("nan"))));
}

}  // namespace
}  // namespace gantry::test
