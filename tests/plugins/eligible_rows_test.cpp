// SPDX-License-Identifier: Apache-2.0
//
// The bundled drivers with a request that may use some rows only, because placement has chosen them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::Each;
using testing::fake_host;
using testing::fake_request;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class EligibleRows : public ::testing::TestWithParam<const char*> {
 protected:
  EligibleRows() : host_({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}}) {
    host_.needs = {"host", "up", "disabled"};
    if (std::string(GetParam()) == "ip")
      host_.options.table("prefixes", {}).table("networks", {}).string("default_prefix", "");
  }
  testing::outcome select(const fake_request& request) {
    const auto outcome = host_.create(*bundled_driver(GetParam()))->select_destinations(request);
    EXPECT_THAT(outcome.misuse, IsEmpty());
    return outcome;
  }

  fake_host host_;
};

TEST_P(EligibleRows, DriversPassOverRowsThatAreNotEligible) {
  fake_request request;
  request.instances = 12;
  request.alternates = 5;
  request.eligible = {1, 4};
  const auto outcome = select(request);
  EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
  EXPECT_THAT(hosts_of(outcome.picks), Each(::testing::AnyOf("b", "e")));
  EXPECT_THAT(hosts_of(outcome.alternates), Each(::testing::AnyOf("b", "e")));
  EXPECT_THAT(outcome.lost, IsEmpty()) << "a row that is not eligible was tried";
  ASSERT_FALSE(outcome.steps.empty());
  EXPECT_EQ(outcome.steps[0].hosts_in, 2U) << "rows that are not eligible were counted";
}

TEST_P(EligibleRows, DriversGoOnToTheNextRowThatCanBeClaimed) {
  fake_request request;
  request.alternates = 5;
  request.eligible = {0, 1, 2, 4, 5};
  request.unclaimable = {0, 4};
  request.lost = {{0, 1}};
  const auto outcome = select(request);
  EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
  auto all = hosts_of(outcome.picks);
  for (const auto& alternate : outcome.alternates) all.push_back(alternate.host);
  EXPECT_THAT(all, UnorderedElementsAre("c", "f"));
}

TEST_P(EligibleRows, DriversFindNoHostWhereNoneIsEligibleOrCanBeClaimed) {
  fake_request request;
  request.eligible = std::set<std::uint32_t>{};
  EXPECT_EQ(select(request).code, GANTRY_NO_VALID_HOST);
  request.eligible = {2, 3};
  request.unclaimable = {2, 3};
  EXPECT_EQ(select(request).code, GANTRY_NO_VALID_HOST);
}

TEST_P(EligibleRows, DriversExplainWhichRowsAreNotEligibleIfAsked) {
  fake_request request;
  request.eligible = {1, 4};
  request.ignore_hosts = {"e"};
  EXPECT_THAT(select(request).host_explanations, IsEmpty());
  request.explain_hosts = GANTRY_EXPLAIN_HOSTS;
  std::vector<std::string> against;
  for (const auto& host : select(request).host_explanations) {
    for (const auto& verdict : host.verdicts) against.push_back(host.host + " " + verdict.name);
  }
  EXPECT_THAT(against,
              UnorderedElementsAre("a placement", "c placement", "d placement", "e ignore_hosts", "f placement"));
}

INSTANTIATE_TEST_SUITE_P(Bundled, EligibleRows, ::testing::Values("simple", "chance", "ip"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace gantry::tests
