// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/outcome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Outcome, NoValidHostHasTheSentenceAlone) {
  const Result<void> outcome = outcome_of(GANTRY_NO_VALID_HOST, "all hosts are full", "zoo", "select_destinations");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(outcome.error().message, "all hosts are full");
}

TEST(Outcome, AFailureNamesDriverOperationAndSentence) {
  const Result<void> outcome = outcome_of(GANTRY_INVALID_ARGUMENT, "no such flavor", "zoo", "select_destinations");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(outcome.error().message, "driver 'zoo', select_destinations: no such flavor");
}

TEST(Outcome, AFailureWithoutASentenceSaysSo) {
  EXPECT_THAT(outcome_of(GANTRY_UNSUPPORTED, "", "zoo", "ping").error().message,
              AllOf(HasSubstr("unsupported"), HasSubstr("without a sentence")));
}

TEST(Outcome, AnUnknownCodeIsTheDriversFaultAndIsNamed) {
  const Result<void> outcome = outcome_of(99, "", "zoo", "ping");
  EXPECT_EQ(outcome.error().code, ErrorCode::internal);
  EXPECT_THAT(outcome.error().message, AllOf(HasSubstr("'zoo'"), HasSubstr("ping"), HasSubstr("found 99")));
}

}  // namespace
}  // namespace gantry::drivers
