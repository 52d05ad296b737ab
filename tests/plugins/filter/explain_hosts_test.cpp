// SPDX-License-Identifier: Apache-2.0
//
// What the filter driver tells of single hosts, held against what it decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>
#include <set>
#include <string>
#include <vector>

#include "plugins/filter/decision/decision.hpp"

namespace filter_driver {
namespace {

using gantry::testing::explained_host;
using gantry::testing::fake_host;
using gantry::testing::fake_request;
using gantry::testing::host_row;
using gantry::testing::outcome;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What entry.cpp does, with the settings of a test.
class decider final : public gantry::driver {
 public:
  static settings& options() {
    static settings options;
    return options;
  }
  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    const policy rules(options());
    decision decision(call, request, rules, documents_);
    return gantry::place_all(call, request, decision);
  }
  gantry::code schedule_run_instance(gantry::call&, const gantry::request&) override { return gantry::code::internal; }

 private:
  document_cache documents_;
};

const gantry_driver_info info = {GANTRY_MAGIC,
                                 sizeof(gantry_driver_info),
                                 GANTRY_ABI_MAJOR,
                                 GANTRY_ABI_MINOR,
                                 gantry::raw("filter"),
                                 gantry::raw("1"),
                                 &gantry::detail::operations_of<decider>};

host_row with_free_ram(const std::string& name, std::int64_t free_mb) {
  host_row row{name, name};
  row.memory_mb = free_mb;
  row.claims["instances"] = 0;
  row.columns["free_ram_mb"] = static_cast<double>(free_mb);
  row.columns["free_disk_gb"] = 1000.0;
  return row;
}

std::vector<std::string> said(const explained_host& explanation) {
  std::vector<std::string> words;
  for (const auto& verdict : explanation.verdicts) words.push_back((verdict.passed ? "+" : "-") + verdict.name);
  return words;
}

class ExplanationOfHosts : public ::testing::Test {
 protected:
  ExplanationOfHosts() {
    decider::options() = settings();
    decider::options().enabled_filters = {"ComputeFilter", "RamFilter", "DiskFilter"};
    decider::options().weight_classes = {"RAMWeigher", "IoOpsWeigher"};
    request_.vcpus = 1;
    request_.memory_mb = 2048;
    request_.root_gb = 1;
    request_.explain_hosts = GANTRY_EXPLAIN_HOSTS;
  }
  outcome decide(const std::vector<host_row>& rows) {
    fake_host host(rows);
    host.seed = seed_;
    host.needs = {"host", "up", "disabled", "vcpus", "memory_mb", "local_gb"};
    const auto driver = host.create(info);
    auto result = driver->select_destinations(request_);
    EXPECT_THAT(result.misuse, IsEmpty());
    return result;
  }

  fake_request request_;
  std::uint64_t seed_ = 1;
};

TEST_F(ExplanationOfHosts, EndsAtTheFirstFilterThatRejectsTheHostAndSaysWhatTheHostLacks) {
  auto down = with_free_ram("down", 1024);
  down.up = false;
  const auto result = decide({with_free_ram("small", 1024), down, with_free_ram("large", 8192)});
  ASSERT_THAT(result.host_explanations, SizeIs(3));
  EXPECT_THAT(said(*result.host_explanation("large")), ElementsAre("+ComputeFilter", "+RamFilter", "+DiskFilter"));
  EXPECT_THAT(said(*result.host_explanation("small")), ElementsAre("+ComputeFilter", "-RamFilter"));
  EXPECT_EQ(result.host_explanation("small")->verdicts.at(1).reason, "2048 MiB wanted, 1024 there");
  EXPECT_THAT(said(*result.host_explanation("down")), ElementsAre("-ComputeFilter"));
  EXPECT_FALSE(result.host_explanation("small")->rank);
  EXPECT_FALSE(result.host_explanation("small")->weight);
}

TEST_F(ExplanationOfHosts, SaysOfAServiceWhetherItIsDownOrDisabledAndWhy) {
  auto down = with_free_ram("down", 8192);
  down.up = false;
  down.columns["last_seen_up"] = std::int64_t{1'700'000'000'000'000'000};
  auto disabled = with_free_ram("disabled", 8192);
  disabled.disabled = true;
  disabled.columns["disabled_reason"] = std::string("new memory");
  const auto result = decide({down, disabled, with_free_ram("good", 8192)});
  EXPECT_EQ(result.host_explanation("down")->verdicts.at(0).reason, "down, last seen up at 2023-11-14T22:13:20Z");
  EXPECT_EQ(result.host_explanation("disabled")->verdicts.at(0).reason, "disabled: new memory");
}

TEST_F(ExplanationOfHosts, SaysWhyAStepRemovedHostsThoughOthersAreLeft) {
  const auto result = decide({with_free_ram("small", 1024), with_free_ram("large", 8192)});
  ASSERT_NE(result.step("RamFilter"), nullptr);
  EXPECT_NE(result.step("RamFilter")->reason, "");
  EXPECT_EQ(result.step("ComputeFilter")->reason, "");
}

TEST_F(ExplanationOfHosts, GivesTheTermsOfTheWeightAndTheOrderThatDecides) {
  auto busy = with_free_ram("busy", 8192);
  busy.columns["stats.io_workload"] = std::int64_t{4};
  const auto result = decide({with_free_ram("low", 4096), busy, with_free_ram("high", 16384)});
  EXPECT_EQ(result.picks.at(0).host, "high");
  ASSERT_THAT(result.host_explanations, SizeIs(3));
  for (std::uint64_t rank = 0; rank < 3; ++rank)
    EXPECT_EQ(result.host_explanations[rank].rank, rank) << "the best first";
  EXPECT_EQ(result.host_explanations[0].host, "high");
  EXPECT_EQ(result.host_explanations[0].weight, result.picks.at(0).weight);
  for (const auto& explanation : result.host_explanations) {
    double sum = 0;
    for (const auto& term : explanation.terms) sum += term.normalized * term.multiplier;
    EXPECT_EQ(explanation.weight, sum) << explanation.host;
  }
  const auto& terms = result.host_explanation("busy")->terms;
  ASSERT_THAT(terms, SizeIs(2));
  EXPECT_EQ(terms[0].name, "RAMWeigher");
  EXPECT_EQ(terms[0].raw, 8192);
  EXPECT_EQ(terms[0].normalized, 0.5);
  EXPECT_EQ(terms[0].multiplier, 1.0);
  EXPECT_EQ(terms[1].raw, 4);
  EXPECT_EQ(terms[1].normalized, 1.0);
  EXPECT_EQ(terms[1].multiplier, -1.0);
}

TEST_F(ExplanationOfHosts, HasTheTermsOfTheBestTenOnlyUnlessAllAreAskedFor) {
  std::vector<host_row> rows;
  for (int i = 0; i < 1500; ++i) rows.push_back(with_free_ram("host-" + std::to_string(i), 4096 + i));
  auto result = decide(rows);
  ASSERT_THAT(result.host_explanations, SizeIs(1500));
  for (std::size_t i = 0; i < 1500; ++i) {
    ASSERT_EQ(result.host_explanations[i].host, "host-" + std::to_string(1499 - i));
    ASSERT_THAT(result.host_explanations[i].terms, SizeIs(i < 10 ? 2 : 0));
    ASSERT_TRUE(result.host_explanations[i].weight);
  }
  request_.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  result = decide(rows);
  ASSERT_THAT(result.host_explanations, SizeIs(1500));
  for (const auto& explanation : result.host_explanations) {
    ASSERT_THAT(explanation.terms, SizeIs(2));
    ASSERT_EQ(explanation.weight, explanation.terms[0].normalized + -1.0 * explanation.terms[1].normalized);
    ASSERT_EQ(explanation.terms[0].raw, 4096 + std::stoi(explanation.host.substr(5)));
  }
}

TEST_F(ExplanationOfHosts, HasTheVerdictOfEachFilterThoughAnEarlierOneRejectedTheHost) {
  request_.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  auto down = with_free_ram("down", 1024);
  down.up = false;
  const auto result = decide({down, with_free_ram("large", 8192)});
  EXPECT_THAT(said(*result.host_explanation("down")), ElementsAre("-ComputeFilter", "-RamFilter", "+DiskFilter"));
  EXPECT_THAT(said(*result.host_explanation("large")), ElementsAre("+ComputeFilter", "+RamFilter", "+DiskFilter"));
}

TEST_F(ExplanationOfHosts, HasTheReasonWhereOneOfAllFiltersFailsForTheHost) {
  decider::options().enabled_filters = {"ComputeFilter", "SimpleCIDRAffinityFilter"};
  request_.spec = R"({"scheduler_hints":{"build_near_host_ip":["10.0.0.1"]}})";
  auto odd = with_free_ram("odd", 8192);
  odd.columns["host_ip"] = std::string("nowhere");
  odd.disabled = true;
  auto near = with_free_ram("near", 8192);
  near.columns["host_ip"] = std::string("10.0.0.9");
  auto far = with_free_ram("far", 8192);
  far.columns["host_ip"] = std::string("10.9.0.9");
  request_.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  const auto result = decide({odd, near, far});
  EXPECT_EQ(result.picks.at(0).host, "near") << result.sentence;
  EXPECT_THAT(said(*result.host_explanation("odd")), ElementsAre("-ComputeFilter", "-SimpleCIDRAffinityFilter"));
  EXPECT_THAT(result.host_explanation("odd")->verdicts.at(1).reason, AllOf(HasSubstr("odd"), HasSubstr("nowhere")));
  EXPECT_THAT(said(*result.host_explanation("near")), ElementsAre("+ComputeFilter", "+SimpleCIDRAffinityFilter"));
  EXPECT_THAT(said(*result.host_explanation("far")), ElementsAre("+ComputeFilter", "-SimpleCIDRAffinityFilter"));
  EXPECT_EQ(result.host_explanation("far")->verdicts.at(1).reason,
            "host_ip in '10.0.0.1/24' (hints build_near_host_ip and cidr) wanted, '10.9.0.9' there");
}

TEST_F(ExplanationOfHosts, SaysWhichHostsTheRequestOrTheirSilenceExcludes) {
  request_.ignore_hosts = {"ignored"};
  request_.spec = R"({"ignore_hosts":["ignored"]})";
  auto silent = with_free_ram("silent", 8192);
  silent.vcpus = std::nullopt;
  const auto result = decide({with_free_ram("ignored", 8192), silent, with_free_ram("fine", 8192)});
  EXPECT_THAT(said(*result.host_explanation("ignored")), ElementsAre("-requested"));
  EXPECT_THAT(said(*result.host_explanation("silent")), ElementsAre("-complete"));
  EXPECT_EQ(result.host_explanation("fine")->rank, 0U);
}

TEST_F(ExplanationOfHosts, SaysWhichHostsAreNoCandidatesOfPlacement) {
  for (const auto wish : {GANTRY_EXPLAIN_HOSTS, GANTRY_EXPLAIN_ALL_FILTERS}) {
    request_.explain_hosts = static_cast<std::uint32_t>(wish);
    request_.eligible = {1};
    const auto result = decide({with_free_ram("large", 9000), with_free_ram("fine", 8192)});
    EXPECT_THAT(said(*result.host_explanation("large")), ElementsAre("-placement"));
    EXPECT_EQ(result.host_explanation("large")->verdicts[0].reason, "not among placement's candidates");
    EXPECT_EQ(result.host_explanation("fine")->rank, 0U);
  }
}

TEST_F(ExplanationOfHosts, ExplainsHostsWhereNoHostFits) {
  request_.memory_mb = 99999;
  const auto result = decide({with_free_ram("a", 8192), with_free_ram("b", 4096)});
  EXPECT_EQ(result.code, GANTRY_NO_VALID_HOST);
  ASSERT_THAT(result.host_explanations, SizeIs(2));
  EXPECT_THAT(said(*result.host_explanation("a")), ElementsAre("+ComputeFilter", "-RamFilter"));
}

TEST_F(ExplanationOfHosts, ShowsEachInstanceTheHostsAsEarlierInstancesLeftThem) {
  request_.instances = 2;
  decider::options().weight_classes = {"RAMWeigher"};
  const auto result = decide({with_free_ram("low", 2048), with_free_ram("high", 5000), with_free_ram("tiny", 1000)});
  EXPECT_THAT(said(*result.host_explanation("tiny", 0)), ElementsAre("+ComputeFilter", "-RamFilter"));
  EXPECT_EQ(result.host_explanation("tiny", 1), nullptr) << "it was no candidate any more";
  EXPECT_EQ(result.host_explanation("high", 0)->terms.at(0).raw, 5000);
  EXPECT_EQ(result.host_explanation("high", 1)->terms.at(0).raw, 2952);
  EXPECT_EQ(result.host_explanation("high", 1)->rank, 0U);
}

TEST_F(ExplanationOfHosts, FollowsThePickWhereChanceDecides) {
  decider::options().host_subset_size = 4;
  std::vector<host_row> rows;
  for (int i = 0; i < 8; ++i) rows.push_back(with_free_ram("host-" + std::to_string(i), 4096 + i));
  std::set<std::string> picked;
  for (seed_ = 1; seed_ <= 16; ++seed_) {
    request_.explain_hosts = GANTRY_EXPLAIN_NONE;
    const auto unasked = decide(rows);
    EXPECT_THAT(unasked.host_explanations, IsEmpty());
    request_.explain_hosts = GANTRY_EXPLAIN_HOSTS;
    const auto result = decide(rows);
    const auto& host = result.picks.at(0).host;
    EXPECT_EQ(host, unasked.picks.at(0).host) << "who asks changes nothing";
    EXPECT_EQ(result.host_explanation(host)->rank, 0U);
    picked.insert(host);
  }
  EXPECT_GT(picked.size(), 1U) << "else chance decided nothing";
}

TEST_F(ExplanationOfHosts, HasNoVerdictsOfForcedHosts) {
  decider::options().compatibility = release::zed;
  request_.force_hosts = {"small"};
  request_.spec = R"({"force_hosts":["small"]})";
  const auto result = decide({with_free_ram("small", 1024), with_free_ram("large", 8192)});
  EXPECT_THAT(said(*result.host_explanation("small")), IsEmpty());
  EXPECT_EQ(result.host_explanation("small")->rank, 0U);
  EXPECT_THAT(result.host_explanation("small")->terms, IsEmpty()) << "a single host is not weighed";
  EXPECT_THAT(said(*result.host_explanation("large")), ElementsAre("-requested"));
}

}  // namespace
}  // namespace filter_driver
