// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/driver/ask.hpp>
#include <gantry/testing/fake_host.hpp>
#include <string>

namespace gantry {
namespace {

class PolicyServicesOfTheSdk : public ::testing::Test {
 protected:
  PolicyServicesOfTheSdk() { raw_call_.host = &host_; }
  policy_answer ask(const std::string& json) { return policy_services(call_.host()).ask(call_, "policy", json); }

  testing::fake_host host_{{testing::host_row{"a"}}};
  testing::fake_call raw_call_{1};
  call call_{host_.raw(), raw_call_.raw()};
};

TEST_F(PolicyServicesOfTheSdk, AnswerAsTheTestSays) {
  host_.answers["policy"] = R"({"host":"a"})";
  const auto answer = ask("{}");
  EXPECT_TRUE(answer);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"host":"a"})");
}

TEST_F(PolicyServicesOfTheSdk, MayBeAwayOrUnknown) {
  EXPECT_EQ(ask("{}").outcome, code::invalid_argument);
  host_.answers["policy"] = "";
  EXPECT_EQ(ask("{}").outcome, code::unsupported);
}

TEST_F(PolicyServicesOfTheSdk, AnswerSixteenQuestionsInACall) {
  host_.answers["policy"] = "1";
  for (unsigned asked = 0; asked < GANTRY_MOST_ASKS; ++asked) EXPECT_TRUE(ask("{}"));
  EXPECT_EQ(ask("{}").outcome, code::resource_exhausted);
}

TEST_F(PolicyServicesOfTheSdk, TakeJsonAlone) {
  host_.answers["policy"] = "1";
  EXPECT_EQ(ask("host?").outcome, code::invalid_argument);
  EXPECT_FALSE(raw_call_.result.misuse.empty());
}

}  // namespace
}  // namespace gantry
