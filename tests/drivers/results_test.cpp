// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/drivers/host_services.hpp"
#include "core/drivers/text.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using testing::_;
using testing::AllOf;
using testing::Field;
using testing::HasSubstr;
using testing::Return;
using testing::StrictMock;

class Results : public testing::Test {
 protected:
  const gantry_host& host() { return *services_.table(); }
  gantry_call* handle() { return call_.handle(); }
  std::string sentence() { return std::string(call_.failure_sentence()); }
  static gantry_pick good_pick() {
    gantry_pick pick{};
    pick.struct_size = sizeof(pick);
    pick.row = 2;
    pick.weight = NAN;
    pick.limits = {16.0, NAN, NAN, {}};
    return pick;
  }

  ExampleView example_;
  StrictMock<MockSink> sink_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
  Call call_{example_.call_settings(&sink_)};
};

TEST_F(Results, APickReachesTheSinkAndItsAnswerTheDriver) {
  EXPECT_CALL(sink_, pick(AllOf(Field(&gantry_pick::row, 2U)))).WillOnce(Return(GANTRY_CLAIM_LOST));
  const gantry_pick pick = good_pick();
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_CLAIM_LOST);
}

TEST_F(Results, APickOutsideOfTheViewIsRefused) {
  gantry_pick pick = good_pick();
  pick.row = 3;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("pick"), HasSubstr("below 3"), HasSubstr("row 3")));
}

TEST_F(Results, NumbersHaveToBeFinite) {
  gantry_pick pick = good_pick();
  pick.weight = std::numeric_limits<double>::infinity();
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("weight"));
  pick = good_pick();
  pick.limits.memory_mb = -1;
  EXPECT_EQ(host().alternate(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("alternate"), HasSubstr("limits.memory_mb")));
}

TEST_F(Results, LimitsBesideTheThreeAreAJsonObject) {
  gantry_pick pick = good_pick();
  pick.limits.other = to_abi("[1]");
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("limits.other"));
}

TEST_F(Results, AStructThatIsTooShortIsRefused) {
  gantry_pick pick = good_pick();
  pick.struct_size = 12;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("struct_size"), HasSubstr("found 12")));
  EXPECT_EQ(host().pick(handle(), nullptr), GANTRY_INVALID_ARGUMENT);
}

TEST_F(Results, ReasonsAndStepsArriveAsReadableText) {
  EXPECT_CALL(sink_, refuse(1, std::string_view("too \xEF\xBF\xBD small"))).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().refuse(handle(), 1, to_abi("too \xff small")), GANTRY_OK);
  EXPECT_CALL(sink_, explain(AllOf(Field(&gantry_step::hosts_in, 3U), Field(&gantry_step::hosts_out, 1U))));
  const gantry_step step{sizeof(gantry_step), UINT32_MAX, to_abi("ram"), 3, 1, to_abi("too little")};
  host().explain(handle(), &step);
}

TEST_F(Results, AClaimNeedsAConsumerItemsAndAmountsThatAreNotNegative) {
  gantry_claim_item item{to_abi("disks"), 1, NAN};
  gantry_claim claim{sizeof(gantry_claim), 0, to_abi("volume-1"), &item, 1};
  EXPECT_CALL(sink_, claim(_)).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_OK);
  item.amount = -1;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("amount"));
  item.amount = NAN;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  claim.item_count = 0;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  claim = {sizeof(gantry_claim), 0, {}, &item, 1};
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("consumer"));
}

TEST_F(Results, AReplyIsJsonAndACastHasARowAMethodAndAnObject) {
  EXPECT_CALL(sink_, reply(std::string_view("[1]"))).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().reply(handle(), to_abi("[1]")), GANTRY_OK);
  EXPECT_EQ(host().reply(handle(), to_abi("[1")), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("JSON"));
  EXPECT_EQ(host().cast(handle(), 9, to_abi("run"), to_abi("{}")), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(host().cast(handle(), 0, to_abi(""), to_abi("{}")), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(host().cast(handle(), 0, to_abi("run"), to_abi("1")), GANTRY_INVALID_ARGUMENT);
  EXPECT_CALL(sink_, cast(0, std::string_view("run"), std::string_view("{}"))).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().cast(handle(), 0, to_abi("run"), to_abi("{}")), GANTRY_OK);
}

TEST_F(Results, ACallWithoutASinkTakesNone) {
  Call call(example_.call_settings());
  const gantry_pick pick = good_pick();
  EXPECT_EQ(host().pick(call.handle(), &pick), GANTRY_UNSUPPORTED);
  EXPECT_EQ(host().reply(call.handle(), to_abi("1")), GANTRY_UNSUPPORTED);
}

}  // namespace
}  // namespace gantry::drivers
