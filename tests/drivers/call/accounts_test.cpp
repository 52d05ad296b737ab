// SPDX-License-Identifier: Apache-2.0
//
// What a driver tells of single hosts, on its way through the host service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/host_services.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Return;
using testing::StrictMock;

class AccountsOfHosts : public testing::Test {
 protected:
  gantry_code hand_over(const gantry_account& account) { return services_.table()->account(call_.handle(), &account); }
  std::string sentence() { return std::string(call_.failure_sentence()); }
  static gantry_account of_row(std::uint32_t row) {
    gantry_account account{};
    account.struct_size = sizeof(account);
    account.row = row;
    return account;
  }
  template <class Verdict>
  static gantry_account with(const Verdict* verdicts, std::uint32_t count) {
    gantry_account account = of_row(0);
    account.verdicts = reinterpret_cast<const gantry_verdict*>(verdicts);
    account.verdict_count = count;
    account.verdict_stride = sizeof(Verdict);
    return account;
  }

  ExampleView example_;
  StrictMock<MockSink> sink_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
  DriverCall call_{example_.call_settings(&sink_)};
};

TEST_F(AccountsOfHosts, ReachTheSinkAndItsAnswerTheDriver) {
  const std::array<gantry_verdict, 2> verdicts{
      {{to_abi("UpFilter"), {}, 1, 0}, {to_abi("RamFilter"), to_abi("too little"), 0, 0}}};
  const gantry_term term{to_abi("RAMWeigher"), 512, 0.5, 2};
  gantry_account account = with(verdicts.data(), 2);
  account.terms = &term;
  account.term_count = 1;
  account.term_stride = sizeof(term);
  account.present = GANTRY_ACCOUNT_WEIGHT | GANTRY_ACCOUNT_RANK;
  account.weight = 1;
  account.rank = 7;
  EXPECT_CALL(sink_, account(_)).WillOnce([](const gantry_account& told) {
    EXPECT_EQ(from_abi(told.verdicts[1].name), "RamFilter");
    EXPECT_EQ(from_abi(told.verdicts[1].reason), "too little");
    EXPECT_EQ(from_abi(told.terms[0].name), "RAMWeigher");
    EXPECT_EQ(told.terms[0].normalized, 0.5);
    EXPECT_EQ(told.rank, 7U);
    return GANTRY_RESOURCE_EXHAUSTED;
  });
  EXPECT_EQ(hand_over(account), GANTRY_RESOURCE_EXHAUSTED);
}

TEST_F(AccountsOfHosts, AreWalkedByTheStrideOfALaterVersion) {
  struct Later {
    gantry_verdict verdict;
    std::uint64_t more;
  };
  const std::array<Later, 2> verdicts{{{{to_abi("a"), {}, 1, 0}, 9}, {{to_abi("b"), {}, 0, 0}, 9}}};
  EXPECT_CALL(sink_, account(_)).WillOnce([](const gantry_account& told) {
    EXPECT_EQ(told.verdict_stride, sizeof(gantry_verdict));
    EXPECT_EQ(from_abi(told.verdicts[1].name), "b");
    return GANTRY_OK;
  });
  EXPECT_EQ(hand_over(with(verdicts.data(), 2)), GANTRY_OK);
}

TEST_F(AccountsOfHosts, NameARowOfTheView) {
  EXPECT_EQ(hand_over(of_row(3)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("account"), HasSubstr("below 3"), HasSubstr("row 3")));
}

TEST_F(AccountsOfHosts, HaveKnownValuesAndNamesAlone) {
  gantry_verdict verdict{to_abi("UpFilter"), {}, 2, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("0 or 1 for passed"), HasSubstr("found 2")));
  verdict = {to_abi("UpFilter"), {}, 1, 5};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("reserved0"), HasSubstr("found 5")));
  verdict = {{}, {}, 1, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("a name"), HasSubstr("0 bytes")));
  gantry_account account = of_row(0);
  account.present = 4;
  EXPECT_EQ(hand_over(account), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("present"), HasSubstr("found 4")));
}

TEST_F(AccountsOfHosts, HaveListsThatCanBeWalked) {
  const gantry_verdict verdict{to_abi("UpFilter"), {}, 1, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1025)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("at most 1024 verdicts"), HasSubstr("found 1025")));
  gantry_account account = with(&verdict, 1);
  account.verdicts = nullptr;
  EXPECT_EQ(hand_over(account), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("1 at NULL"));
  account = with(&verdict, 1);
  account.verdict_stride = 8;
  EXPECT_EQ(hand_over(account), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("a stride of verdicts of at least 40"), HasSubstr("found 8")));
  const gantry_term nameless{{}, 1, 1, 1};
  account = of_row(0);
  account.terms = &nameless;
  account.term_count = 1;
  account.term_stride = sizeof(nameless);
  EXPECT_EQ(hand_over(account), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("a name"));
}

TEST_F(AccountsOfHosts, ReachTheEndOfTheirFirstVersion) {
  gantry_account account = of_row(0);
  account.struct_size = 56;
  EXPECT_EQ(hand_over(account), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("struct_size of at least 64"), HasSubstr("found 56")));
  EXPECT_EQ(services_.table()->account(call_.handle(), nullptr), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(services_.table()->account(nullptr, &account), GANTRY_INVALID_ARGUMENT);
}

TEST_F(AccountsOfHosts, AreNotAnOffersToTell) {
  const HostServices offer("zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), "RackFilter");
  const gantry_account account = of_row(0);
  EXPECT_EQ(offer.table()->account(call_.handle(), &account), GANTRY_UNSUPPORTED);
  EXPECT_THAT(sentence(), HasSubstr("account"));
}

}  // namespace
}  // namespace gantry::drivers
