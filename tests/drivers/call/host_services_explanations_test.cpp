// SPDX-License-Identifier: Apache-2.0
//
// Host explanations, from a driver through the host service to the sink.
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

class ExplanationsOfHosts : public testing::Test {
 protected:
  gantry_code hand_over(const gantry_host_explanation& explanation) {
    return explain_table()->explain_host(call_.handle(), &explanation);
  }
  std::string sentence() { return std::string(call_.failure_sentence()); }
  static gantry_host_explanation of_row(std::uint32_t row) {
    gantry_host_explanation explanation{};
    explanation.struct_size = sizeof(explanation);
    explanation.row = row;
    return explanation;
  }
  template <class Verdict>
  static gantry_host_explanation with(const Verdict* verdicts, std::uint32_t count) {
    gantry_host_explanation explanation = of_row(0);
    explanation.verdicts = reinterpret_cast<const gantry_verdict*>(verdicts);
    explanation.verdict_count = count;
    explanation.verdict_stride = sizeof(Verdict);
    return explanation;
  }

  ExampleView example_;
  StrictMock<MockSink> sink_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
  DriverCall call_{example_.call_settings(&sink_)};
};

TEST_F(ExplanationsOfHosts, PassesAnExplanationToTheSinkAndReturnsItsAnswer) {
  const std::array<gantry_verdict, 2> verdicts{
      {{to_abi("UpFilter"), {}, 1, 0}, {to_abi("RamFilter"), to_abi("too little"), 0, 0}}};
  const gantry_term term{to_abi("RAMWeigher"), 512, 0.5, 2};
  gantry_host_explanation explanation = with(verdicts.data(), 2);
  explanation.terms = &term;
  explanation.term_count = 1;
  explanation.term_stride = sizeof(term);
  explanation.present = GANTRY_EXPLANATION_WEIGHT | GANTRY_EXPLANATION_RANK;
  explanation.weight = 1;
  explanation.rank = 7;
  EXPECT_CALL(sink_, explain_host(_)).WillOnce([](const gantry_host_explanation& told) {
    EXPECT_EQ(from_abi(told.verdicts[1].name), "RamFilter");
    EXPECT_EQ(from_abi(told.verdicts[1].reason), "too little");
    EXPECT_EQ(from_abi(told.terms[0].name), "RAMWeigher");
    EXPECT_EQ(told.terms[0].normalized, 0.5);
    EXPECT_EQ(told.rank, 7U);
    return GANTRY_RESOURCE_EXHAUSTED;
  });
  EXPECT_EQ(hand_over(explanation), GANTRY_RESOURCE_EXHAUSTED);
}

TEST_F(ExplanationsOfHosts, WalksListsByTheStrideOfALaterVersion) {
  struct Later {
    gantry_verdict verdict;
    std::uint64_t more;
  };
  const std::array<Later, 2> verdicts{{{{to_abi("a"), {}, 1, 0}, 9}, {{to_abi("b"), {}, 0, 0}, 9}}};
  EXPECT_CALL(sink_, explain_host(_)).WillOnce([](const gantry_host_explanation& told) {
    EXPECT_EQ(told.verdict_stride, sizeof(gantry_verdict));
    EXPECT_EQ(from_abi(told.verdicts[1].name), "b");
    return GANTRY_OK;
  });
  EXPECT_EQ(hand_over(with(verdicts.data(), 2)), GANTRY_OK);
}

TEST_F(ExplanationsOfHosts, RefusesARowOutsideTheView) {
  EXPECT_EQ(hand_over(of_row(3)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("explain_host"), HasSubstr("below 3"), HasSubstr("row 3")));
}

TEST_F(ExplanationsOfHosts, RefusesUnknownValuesAndEmptyNames) {
  gantry_verdict verdict{to_abi("UpFilter"), {}, 2, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("0 or 1 for passed"), HasSubstr("found 2")));
  verdict = {to_abi("UpFilter"), {}, 1, 5};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("reserved0"), HasSubstr("found 5")));
  verdict = {{}, {}, 1, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("a name"), HasSubstr("0 bytes")));
  gantry_host_explanation explanation = of_row(0);
  explanation.present = 4;
  EXPECT_EQ(hand_over(explanation), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("present"), HasSubstr("found 4")));
}

TEST_F(ExplanationsOfHosts, RefusesListsThatCannotBeWalked) {
  const gantry_verdict verdict{to_abi("UpFilter"), {}, 1, 0};
  EXPECT_EQ(hand_over(with(&verdict, 1025)), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("at most 1024 verdicts"), HasSubstr("found 1025")));
  gantry_host_explanation explanation = with(&verdict, 1);
  explanation.verdicts = nullptr;
  EXPECT_EQ(hand_over(explanation), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("1 at NULL"));
  explanation = with(&verdict, 1);
  explanation.verdict_stride = 8;
  EXPECT_EQ(hand_over(explanation), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("a stride of verdicts of at least 40"), HasSubstr("found 8")));
  const gantry_term nameless{{}, 1, 1, 1};
  explanation = of_row(0);
  explanation.terms = &nameless;
  explanation.term_count = 1;
  explanation.term_stride = sizeof(nameless);
  EXPECT_EQ(hand_over(explanation), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("a name"));
}

TEST_F(ExplanationsOfHosts, RefusesAStructShorterThanItsFirstVersion) {
  gantry_host_explanation explanation = of_row(0);
  explanation.struct_size = 56;
  EXPECT_EQ(hand_over(explanation), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), AllOf(HasSubstr("struct_size of at least 64"), HasSubstr("found 56")));
  EXPECT_EQ(explain_table()->explain_host(call_.handle(), nullptr), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(explain_table()->explain_host(nullptr, &explanation), GANTRY_INVALID_ARGUMENT);
}

TEST_F(ExplanationsOfHosts, AreAnExtensionForTheDriverAndNotForItsOffers) {
  const HostServices offer("zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), "RackFilter");
  for (const char* const id : {GANTRY_EXPLAIN_EXTENSION, GANTRY_CANDIDATES_EXTENSION}) {
    EXPECT_NE(services_.table()->extension(services_.table(), to_abi(id)), nullptr) << id;
    EXPECT_EQ(offer.table()->extension(offer.table(), to_abi(id)), nullptr) << id;
  }
}

}  // namespace
}  // namespace gantry::drivers
