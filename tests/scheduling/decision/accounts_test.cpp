// SPDX-License-Identifier: Apache-2.0
//
// What an answer says of single hosts.
#include "core/scheduling/decision/accounts.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {
namespace {

using drivers::to_abi;
using testing::HasSubstr;

gantry_account of_instance(std::uint32_t instance) {
  gantry_account account{};
  account.struct_size = sizeof account;
  account.instance = instance;
  return account;
}

std::string text_of(const Accounts& accounts) {
  std::string text;
  accounts.append_to(text);
  return text;
}

TEST(Accounts, SayWhatEachFilterAndWeigherMadeOfAHost) {
  const std::array<gantry_verdict, 3> verdicts{
      {{to_abi("Up"), {}, 1, 0}, {to_abi("Ram"), to_abi("2 wanted, \"1\" there"), 0, 0}, {to_abi("Disk"), {}, 0, 0}}};
  const gantry_term term{to_abi("RAMWeigher"), 0.1, 1, -1};
  auto account = of_instance(1);
  account.present = GANTRY_ACCOUNT_WEIGHT | GANTRY_ACCOUNT_RANK;
  account.verdicts = verdicts.data();
  account.verdict_count = verdicts.size();
  account.terms = &term;
  account.term_count = 1;
  account.weight = -1;
  account.rank = 2;
  Accounts accounts(2, 1000);
  EXPECT_EQ(accounts.add(account, "h\n", "n"), GANTRY_OK);
  EXPECT_EQ(text_of(accounts),
            R"([{"hosts":[],"left_out":0},{"hosts":[{"host":"h\n","node":"n","verdicts":[{"name":"Up","passed":true},)"
            R"({"name":"Ram","passed":false,"reason":"2 wanted, \"1\" there"},{"name":"Disk","passed":false}],)"
            R"("rejected_by":"Ram","weighers":[{"name":"RAMWeigher","raw":0.1,"normalized":1.0,"multiplier":-1.0}],)"
            R"("weight":-1.0,"rank":2}],"left_out":0}])");
  EXPECT_TRUE(json::parse(text_of(accounts)));
}

TEST(Accounts, GiveNoWeightAndNoRankToARejectedHost) {
  auto account = of_instance(0);
  account.weight = 5;
  account.rank = 5;
  Accounts accounts(1, 1000);
  accounts.add(account, "h", "");
  EXPECT_THAT(text_of(accounts), HasSubstr(R"("rejected_by":null,"weighers":[],"weight":null,"rank":null})"));
}

TEST(Accounts, WriteJsonForNumbersThatAreNotFinite) {
  const gantry_term term{to_abi("w"), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                         -std::numeric_limits<double>::infinity()};
  auto account = of_instance(0);
  account.terms = &term;
  account.term_count = 1;
  Accounts accounts(1, 1000);
  accounts.add(account, "h", "");
  EXPECT_THAT(text_of(accounts), HasSubstr(R"("raw":null,"normalized":null,"multiplier":null)"));
}

TEST(Accounts, EndAtTheirBoundAndCountTheRest) {
  Accounts accounts(2, 200);
  const std::string long_name(100, 'x');
  EXPECT_EQ(accounts.add(of_instance(0), "a", ""), GANTRY_OK);
  EXPECT_EQ(accounts.add(of_instance(0), long_name, ""), GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_EQ(accounts.add(of_instance(0), "b", ""), GANTRY_RESOURCE_EXHAUSTED) << "though it would find room";
  EXPECT_EQ(accounts.add(of_instance(1), "c", ""), GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_EQ(text_of(accounts),
            R"([{"hosts":[{"host":"a","node":"","verdicts":[],"rejected_by":null,"weighers":[],"weight":null,)"
            R"("rank":null}],"left_out":2},{"hosts":[],"left_out":1}])");
}

TEST(Accounts, FollowTheOtherMembersOfARecord) {
  const json::object record{{"driver", "d"}};
  const Accounts accounts(1, 0);
  EXPECT_EQ(with_accounts(record, &accounts), R"({"driver":"d","instances":[{"hosts":[],"left_out":0}]})");
  EXPECT_EQ(with_accounts(record, nullptr), R"({"driver":"d"})");
}

}  // namespace
}  // namespace gantry::scheduling
