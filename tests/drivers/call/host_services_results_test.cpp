// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/host_services.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using testing::_;
using testing::AllOf;
using testing::Field;
using testing::HasSubstr;
using testing::ResultOf;
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
    pick.present = GANTRY_LIMIT_VCPU;
    pick.limits.vcpu = 16;
    return pick;
  }

  ExampleView example_;
  StrictMock<MockSink> sink_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
  DriverCall call_{example_.call_settings(&sink_)};
};

TEST_F(Results, PassesAPickToTheSinkAndReturnsItsAnswer) {
  EXPECT_CALL(sink_, pick(AllOf(Field(&gantry_pick::row, 2U)))).WillOnce(Return(GANTRY_CLAIM_LOST));
  const gantry_pick pick = good_pick();
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_CLAIM_LOST);
}

TEST_F(Results, RefusesAPickOutsideTheView) {
  gantry_pick pick = good_pick();
  pick.row = 3;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("pick"), HasSubstr("below 3"), HasSubstr("row 3")));
}

TEST_F(Results, RefusesNumbersThatAreNotFinite) {
  gantry_pick pick = good_pick();
  pick.present |= GANTRY_PICK_WEIGHT;
  pick.weight = std::numeric_limits<double>::infinity();
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("weight"));
  pick = good_pick();
  pick.present |= GANTRY_LIMIT_MEMORY_MB;
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

TEST_F(Results, RefusesAStructThatIsTooShort) {
  gantry_pick pick = good_pick();
  pick.struct_size = 12;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("struct_size"), HasSubstr("found 12")));
  EXPECT_EQ(host().pick(handle(), nullptr), GANTRY_INVALID_ARGUMENT);
}

TEST_F(Results, APickOfZerosIsUnboundedAndHasNoWeight) {
  gantry_pick pick{};
  pick.struct_size = sizeof(pick);
  EXPECT_CALL(sink_, pick(AllOf(Field(&gantry_pick::present, 0U), Field(&gantry_pick::item_count, 0U))))
      .WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_OK);
}

TEST_F(Results, IgnoresANumberThatIsNotPresent) {
  gantry_pick pick = good_pick();
  pick.weight = NAN;
  pick.limits.disk_gb = -1;
  EXPECT_CALL(sink_, pick(_)).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_OK);
}

TEST_F(Results, RefusesUnknownBits) {
  gantry_pick pick = good_pick();
  pick.present = GANTRY_CLAIM_LIMIT;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("present"), HasSubstr("found 16")));
  gantry_claim_item item{to_abi("gpu"), 1, 0, 0, 7};
  pick = good_pick();
  pick.items = &item;
  pick.item_count = 1;
  pick.item_stride = sizeof(item);
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("0 for reserved0"), HasSubstr("found 7")));
}

struct LaterPick {
  gantry_pick pick;
  std::uint64_t more;
};

TEST_F(Results, TakesAStructOfALaterVersionThatAsksForNothingMore) {
  LaterPick later{good_pick(), 0};
  later.pick.struct_size = sizeof(later);
  EXPECT_CALL(sink_, pick(Field(&gantry_pick::struct_size, std::uint32_t{sizeof(gantry_pick)})))
      .WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().pick(handle(), &later.pick), GANTRY_OK);
}

TEST_F(Results, RefusesAFieldOfALaterVersion) {
  LaterPick later{good_pick(), std::uint64_t{1} << 56};
  later.pick.struct_size = sizeof(later);
  EXPECT_EQ(host().pick(handle(), &later.pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("no field of a later ABI than " GANTRY_ABI_TEXT),
                                HasSubstr("found one behind byte " + std::to_string(sizeof(gantry_pick)))));
  EXPECT_EQ(host().alternate(handle(), &later.pick), GANTRY_INVALID_ARGUMENT);
}

TEST_F(Results, RefusesAStructThatIsLargerThanAnyMayBecome) {
  auto pick = good_pick();
  pick.struct_size = 4097;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("to 4096"), HasSubstr("found 4097")));
}

TEST(FilledStructs, SayHowMuchOfThemWasFilledIn) {
  struct LaterLocation {
    gantry_location location;
    std::uint64_t more;
  };
  LaterLocation later{};
  later.location.struct_size = sizeof(later);
  later.more = 42;
  gantry_location location{};
  location.row = 7;
  fill_in(later.location, location);
  EXPECT_EQ(later.location.struct_size, sizeof(gantry_location));
  EXPECT_EQ(later.location.row, 7U);
  EXPECT_EQ(later.more, 42U);
}

TEST_F(Results, AcceptsAStructOfItsFirstVersion) {
  EXPECT_EQ(first_size<gantry_pick>, 88U);
  EXPECT_EQ(first_size<gantry_driver_ops>, 80U);
  EXPECT_EQ(first_size<gantry_driver_info>, 56U);
  // A host that has grown since: what the driver does not know is zero.
  struct Grown {
    std::uint32_t struct_size;
    std::uint32_t known;
    std::uint64_t unknown;
  };
  const Grown whole{8, 5, 99};
  EXPECT_EQ(known_part(whole).known, 5U);
  EXPECT_EQ(known_part(whole).unknown, 0U);
}

TEST_F(Results, ItemsOfAPickAreWalkedByTheirStride) {
  struct Later {
    gantry_claim_item item;
    std::uint64_t more;
  };
  const std::array<Later, 2> items{
      {{{to_abi("gpu"), 1, 4, GANTRY_CLAIM_LIMIT, 0}, 0}, {{to_abi("numa.0"), 2, 0, 0, 0}, 0}}};
  gantry_pick pick = good_pick();
  pick.items = &items[0].item;
  pick.item_count = 2;
  pick.item_stride = sizeof(Later);
  EXPECT_CALL(sink_, pick(_)).WillOnce([](const gantry_pick& taken) {
    EXPECT_EQ(taken.item_count, 2U);
    EXPECT_EQ(from_abi(taken.items[1].resource), "numa.0");
    EXPECT_EQ(taken.items[1].amount, 2.0);
    return GANTRY_OK;
  });
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_OK);
}

TEST_F(Results, RefusesAnItemWithAFieldOfALaterVersion) {
  struct Later {
    gantry_claim_item item;
    std::uint64_t more;
  };
  const std::array<Later, 2> items{{{{to_abi("gpu"), 1, 0, 0, 0}, 0}, {{to_abi("numa.0"), 2, 0, 0, 0}, 9}}};
  gantry_pick pick = good_pick();
  pick.items = &items[0].item;
  pick.item_count = 2;
  pick.item_stride = sizeof(Later);
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("no field of a later ABI"));
}

TEST_F(Results, RefusesAnItemThatThePickItselfClaims) {
  const gantry_claim_item item{to_abi("vcpu"), 1, 0, 0, 0};
  gantry_pick pick = good_pick();
  pick.items = &item;
  pick.item_count = 1;
  pick.item_stride = sizeof(item);
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("items beside"), HasSubstr("found vcpu")));
  pick.item_stride = 8;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("item_stride"));
  pick.items = nullptr;
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("1 at NULL"));
}

TEST_F(Results, TreatsOtherLimitsAtNullAsEmpty) {
  gantry_pick pick = good_pick();
  pick.limits.other = {nullptr, 5};
  EXPECT_CALL(sink_, pick(_)).WillOnce([](const gantry_pick& taken) {
    EXPECT_EQ(taken.limits.other.size, 0U);
    return GANTRY_OK;
  });
  EXPECT_EQ(host().pick(handle(), &pick), GANTRY_OK);
}

TEST_F(Results, ReasonsAndStepsArriveAsReadableText) {
  EXPECT_CALL(sink_, refuse(1, std::string_view("too \xEF\xBF\xBD small"))).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().refuse(handle(), 1, to_abi("too \xff small")), GANTRY_OK);
  EXPECT_CALL(sink_, explain(AllOf(Field(&gantry_step::hosts_in, 3U), Field(&gantry_step::hosts_out, 1U))));
  const gantry_step step{sizeof(gantry_step), UINT32_MAX, to_abi("ram"), 3, 1, to_abi("too little")};
  host().explain(handle(), &step);
}

TEST_F(Results, AClaimNeedsAConsumerItemsAndAmountsThatAreNotNegative) {
  gantry_claim_item item{to_abi("disks"), 1, 0, 0, 0};
  gantry_claim claim{sizeof(gantry_claim), 0, to_abi("volume-1"), &item, 1, sizeof(item)};
  EXPECT_CALL(sink_, claim(_)).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_OK);
  item.amount = -1;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("amount"));
  item.amount = NAN;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  claim.item_count = 0;
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  claim = {sizeof(gantry_claim), 0, {}, &item, 1, sizeof(item)};
  EXPECT_EQ(host().claim(handle(), &claim), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("consumer"));
}

TEST_F(Results, RequiresJsonForAReplyAndRowMethodAndObjectForACast) {
  EXPECT_CALL(sink_, reply(std::string_view("[1]"))).WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(host().reply(handle(), to_abi("[1]")), GANTRY_OK);
  EXPECT_EQ(host().reply(handle(), to_abi("[1")), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("JSON"));
  const auto cast = [this](std::uint32_t row, std::string_view method, std::string_view args) {
    const gantry_cast message{sizeof(gantry_cast), row, to_abi("volume-1"), to_abi(method), to_abi(args)};
    return host().cast(handle(), &message);
  };
  EXPECT_EQ(cast(9, "run", "{}"), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(cast(0, "", "{}"), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(cast(0, "run", "1"), GANTRY_INVALID_ARGUMENT);
  EXPECT_CALL(sink_,
              cast(AllOf(Field(&gantry_cast::row, 0U), Field(&gantry_cast::consumer, ResultOf(from_abi, "volume-1")),
                         Field(&gantry_cast::method, ResultOf(from_abi, "run")),
                         Field(&gantry_cast::args, ResultOf(from_abi, "{}")))))
      .WillOnce(Return(GANTRY_OK));
  EXPECT_EQ(cast(0, "run", "{}"), GANTRY_OK);
}

TEST_F(Results, RefusesResultsInACallWithoutASink) {
  DriverCall call(example_.call_settings());
  const gantry_pick pick = good_pick();
  EXPECT_EQ(host().pick(call.handle(), &pick), GANTRY_UNSUPPORTED);
  EXPECT_EQ(host().reply(call.handle(), to_abi("1")), GANTRY_UNSUPPORTED);
}

}  // namespace
}  // namespace gantry::drivers
