// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/nova/shadow/shadow_tally.hpp"
#include "core/nova/shadow/shadow_verdict.hpp"

namespace gantry::nova {
namespace {

using Decisions = std::vector<ShadowDecision>;

HostStanding passed(double weight) {
  return {"", weight};
}

HostStanding rejected(const std::string& filter) {
  return {filter, std::nullopt};
}

// Picks h1 of weight 3; h2 has 2, h3 has 2, and a filter rejects h4.
ShadowDecision decision() {
  return {{"h1"}, {{{"h1", passed(3)}, {"h2", passed(2)}, {"h3", passed(2)}, {"h4", rejected("RamFilter")}}}, ""};
}

std::string judged(const Decisions& decisions, const std::vector<std::string>& chosen, std::size_t subset = 1,
                   std::size_t most_candidates = 1000) {
  const auto verdict = judge(decisions, {chosen}, subset, most_candidates);
  return std::string(name_of(verdict.agreement)) + (verdict.cause.empty() ? "" : ": " + verdict.cause);
}

TEST(ShadowVerdict, AgreesOnTheSameHostAndOnARefusal) {
  EXPECT_EQ(judged({decision()}, {"h1"}), "agreed");
  EXPECT_EQ(judged({{{}, {}, "no room"}}, {}), "agreed");
}

TEST(ShadowVerdict, TakesAHostOfTheSameWeightAsEqual) {
  auto equal = decision();
  equal.standings[0]["h2"].weight = 3;
  EXPECT_EQ(judged({equal}, {"h2"}), "equal_weight");
  EXPECT_EQ(judged({equal}, {"h3"}), "differed: weight");
}

TEST(ShadowVerdict, TakesAnyOfTheBestHostsAsEqualIfChanceChoosesAmongThem) {
  EXPECT_EQ(judged({decision()}, {"h2"}, 2), "equal_weight");
  EXPECT_EQ(judged({decision()}, {"h4"}, 2), "differed: filter RamFilter");
}

TEST(ShadowVerdict, NamesTheRuleThatIsAgainstNovasHost) {
  EXPECT_EQ(judged({decision()}, {"h2"}), "differed: weight");
  EXPECT_EQ(judged({decision()}, {"h4"}), "differed: filter RamFilter");
  EXPECT_EQ(judged({decision()}, {"h9"}), "differed: no candidate");
  EXPECT_EQ(judged({decision()}, {"h2"}, 1, 3), "differed: limit of candidates");
}

TEST(ShadowVerdict, TellsWhoRefusedWhatTheOtherPlaced) {
  EXPECT_EQ(judged({decision()}, {}), "differed: refused by nova-scheduler");
  EXPECT_EQ(judged({{{}, {}, "no candidates"}}, {"h1"}), "differed: refused by Gantry");
  EXPECT_EQ(judged({{{}, {{{"h1", passed(3)}}}, ""}}, {"h1"}), "differed: refused by Gantry");
  EXPECT_EQ(judged({{{}, {{{"h1", rejected("RamFilter")}}}, ""}}, {"h1"}), "differed: filter RamFilter");
}

TEST(ShadowVerdict, AgreesLaterIfTheFactsHaveChangedMeanwhile) {
  auto later = decision();
  later.picks = {"h2"};
  EXPECT_EQ(judged({decision(), decision(), later}, {"h2"}), "agreed_later");
  EXPECT_EQ(judged({decision(), later}, {"h3"}), "differed: weight");
}

TEST(ShadowVerdict, TellsApartThatFactsOfOtherHostsChangedMeanwhile) {
  auto later = decision();
  later.standings[0]["h1"] = rejected("RamFilter");
  later.picks = {"h2"};
  EXPECT_EQ(judged({decision(), later}, {"h4"}), "facts_changed");
  auto claimed = decision();
  claimed.standings[0].erase("h4");
  EXPECT_EQ(judged({decision(), claimed}, {"h4"}), "differed: filter RamFilter")
      << "the claim itself is no such change";
}

TEST(ShadowVerdict, ComparesSeveralInstancesUpToTheFirstThatDiffers) {
  ShadowDecision both{{"h1", "h2"}, {decision().standings[0], decision().standings[0]}, ""};
  EXPECT_EQ(judged({both}, {"h1", "h2"}), "agreed");
  EXPECT_EQ(judged({both}, {"h1", "h4"}), "differed: filter RamFilter");
  both.standings[1]["h3"].weight = 4;
  EXPECT_EQ(judged({both}, {"h1", "h3"}), "equal_weight");
}

TEST(ShadowDecision, IsReadFromAnExplainedAnswer) {
  const auto answer = json::value(*json::parse_object(
      R"({"destinations":[],"decision":{"destinations":[{"host":"h1","node":"n1"}],"instances":[{"hosts":[)"
      R"({"host":"h1","node":"n1","rejected_by":null,"weight":1.5},)"
      R"({"host":"h3","node":"h3","rejected_by":"placement","weight":null},)"
      R"({"host":"h2","node":"h2","rejected_by":"RamFilter","weight":null}],"left_out":0}]}})"));
  const auto read = read_shadow_decision(answer);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->picks, ::testing::ElementsAre("h1/n1"));
  EXPECT_EQ(read->standings.at(0).at("h1/n1").weight, 1.5);
  EXPECT_EQ(read->standings.at(0).at("h2").rejected_by, "RamFilter");
  EXPECT_FALSE(read->standings.at(0).contains("h3")) << "it is no candidate";
}

TEST(ShadowDecision, OfNoValidHostHasItsReason) {
  const auto read = read_shadow_decision(Error{ErrorCode::no_valid_host, "No valid host was found. no memory",
                                               R"({"reason":"no memory","instances":[]})"});
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->is_refused());
  EXPECT_EQ(read->refusal, "no memory");
  EXPECT_FALSE(read_shadow_decision(Error{ErrorCode::unavailable, "the database is away", {}}));
}

TEST(ShadowTally, CountsByAgreementAndCauseAndKeepsTheLatestDifferences) {
  ShadowTally tally;
  tally.note({"t0", "req-0", "i0", "h1", "h1", {Agreement::agreed, ""}, ""});
  for (int i = 0; i < 12; ++i)
    tally.note(
        {"t" + std::to_string(i), "req", "i" + std::to_string(i), "h1", "h2", {Agreement::differed, "weight"}, ""});
  const auto status = tally.status();
  EXPECT_EQ(status.at("agreed"), 1);
  EXPECT_EQ(status.at("differed"), 12);
  EXPECT_EQ(status.at("causes").at(0).at("cause"), "differed: weight");
  EXPECT_EQ(status.at("causes").at(0).at("requests"), 12);
  EXPECT_EQ(status.at("differences").as_array().size(), 10U);
  EXPECT_EQ(status.at("differences").at(0).at("instance"), "i11");
}

}  // namespace
}  // namespace gantry::nova
