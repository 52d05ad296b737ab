// SPDX-License-Identifier: Apache-2.0
//
// What an answer says of single hosts.
#include "core/scheduling/decision/host_explanations.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {
namespace {

using drivers::to_abi;
using testing::HasSubstr;

gantry_host_explanation of_instance(std::uint32_t instance) {
  gantry_host_explanation explanation{};
  explanation.struct_size = sizeof explanation;
  explanation.instance = instance;
  return explanation;
}

std::string text_of(const HostExplanations& explanations) {
  std::string text;
  explanations.append_to(text);
  return text;
}

TEST(HostExplanations, SayWhatEachFilterAndWeigherMadeOfAHost) {
  const std::array<gantry_verdict, 3> verdicts{
      {{to_abi("Up"), {}, 1, 0}, {to_abi("Ram"), to_abi("2 wanted, \"1\" there"), 0, 0}, {to_abi("Disk"), {}, 0, 0}}};
  const gantry_term term{to_abi("RAMWeigher"), 0.1, 1, -1};
  auto explanation = of_instance(1);
  explanation.present = GANTRY_EXPLANATION_WEIGHT | GANTRY_EXPLANATION_RANK;
  explanation.verdicts = verdicts.data();
  explanation.verdict_count = verdicts.size();
  explanation.terms = &term;
  explanation.term_count = 1;
  explanation.weight = -1;
  explanation.rank = 2;
  HostExplanations explanations(2, 1000);
  EXPECT_EQ(explanations.add(explanation, "h\n", "n"), GANTRY_OK);
  EXPECT_EQ(text_of(explanations),
            R"([{"hosts":[],"left_out":0},{"hosts":[{"host":"h\n","node":"n","verdicts":[{"name":"Up","passed":true},)"
            R"({"name":"Ram","passed":false,"reason":"2 wanted, \"1\" there"},{"name":"Disk","passed":false}],)"
            R"("rejected_by":"Ram","weighers":[{"name":"RAMWeigher","raw":0.1,"normalized":1.0,"multiplier":-1.0}],)"
            R"("weight":-1.0,"rank":2}],"left_out":0}])");
  EXPECT_TRUE(json::parse(text_of(explanations)));
}

TEST(HostExplanations, GiveNoWeightAndNoRankToARejectedHost) {
  auto explanation = of_instance(0);
  explanation.weight = 5;
  explanation.rank = 5;
  HostExplanations explanations(1, 1000);
  explanations.add(explanation, "h", "");
  EXPECT_THAT(text_of(explanations), HasSubstr(R"("rejected_by":null,"weighers":[],"weight":null,"rank":null})"));
}

TEST(HostExplanations, WriteJsonForNumbersThatAreNotFinite) {
  const gantry_term term{to_abi("w"), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                         -std::numeric_limits<double>::infinity()};
  auto explanation = of_instance(0);
  explanation.terms = &term;
  explanation.term_count = 1;
  HostExplanations explanations(1, 1000);
  explanations.add(explanation, "h", "");
  EXPECT_THAT(text_of(explanations), HasSubstr(R"("raw":null,"normalized":null,"multiplier":null)"));
}

TEST(HostExplanations, EndAtTheirBoundAndCountTheRest) {
  HostExplanations explanations(2, 200);
  const std::string long_name(100, 'x');
  EXPECT_EQ(explanations.add(of_instance(0), "a", ""), GANTRY_OK);
  EXPECT_EQ(explanations.add(of_instance(0), long_name, ""), GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_EQ(explanations.add(of_instance(0), "b", ""), GANTRY_RESOURCE_EXHAUSTED) << "though it would find room";
  EXPECT_EQ(explanations.add(of_instance(1), "c", ""), GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_EQ(text_of(explanations),
            R"([{"hosts":[{"host":"a","node":"","verdicts":[],"rejected_by":null,"weighers":[],"weight":null,)"
            R"("rank":null}],"left_out":2},{"hosts":[],"left_out":1}])");
}

TEST(HostExplanations, FollowTheOtherMembersOfARecord) {
  const json::object record{{"driver", "d"}};
  const HostExplanations explanations(1, 0);
  EXPECT_EQ(with_host_explanations(record, &explanations), R"({"driver":"d","instances":[{"hosts":[],"left_out":0}]})");
  EXPECT_EQ(with_host_explanations(record, nullptr), R"({"driver":"d"})");
}

}  // namespace
}  // namespace gantry::scheduling
