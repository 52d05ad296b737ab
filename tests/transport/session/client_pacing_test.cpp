// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/client_pacing.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "core/transport/session/http_limits.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using transport::ClientPacing;
using transport::HttpLimits;

constexpr std::size_t wanted = 8192;

std::vector<long> pauses_after_small_reads(ClientPacing& pacing, int reads) {
  std::vector<long> pauses;
  for (int i = 0; i < reads; ++i) {
    pacing.note_read(1, wanted);
    pauses.push_back(pacing.take_pause().count());
  }
  return pauses;
}

std::vector<long> pauses_after_answers(ClientPacing& pacing, unsigned status, int answers) {
  std::vector<long> pauses;
  for (int i = 0; i < answers; ++i) {
    pacing.note_answer(status);
    pauses.push_back(pacing.take_pause().count());
  }
  return pauses;
}

TEST(ClientPacing, PausesEverLongerBetweenSmallReads) {
  ClientPacing pacing{HttpLimits{}};
  EXPECT_THAT(pauses_after_small_reads(pacing, 11), ElementsAre(0, 0, 2, 4, 8, 16, 32, 64, 128, 128, 128));
  EXPECT_TRUE(pacing.has_small_reads());
}

TEST(ClientPacing, ForgetsSmallReadsAfterALargeReadOrTheRequest) {
  ClientPacing pacing{HttpLimits{}};
  pauses_after_small_reads(pacing, 5);
  pacing.note_read(ClientPacing::small_read, wanted);
  EXPECT_FALSE(pacing.has_small_reads());
  pauses_after_small_reads(pacing, 5);
  pacing.note_read(1, wanted);
  pacing.note_request();
  EXPECT_FALSE(pacing.has_small_reads());
  EXPECT_EQ(pacing.take_pause(), 0ms) << "no pause is left of the request";
}

TEST(ClientPacing, CountsAReadThatBringsAllThatItWantedAsLarge) {
  ClientPacing pacing{HttpLimits{}};
  for (int i = 0; i < 10; ++i) pacing.note_read(64, 64);
  EXPECT_FALSE(pacing.has_small_reads());
}

TEST(ClientPacing, PausesEverLongerAfterDenialsInARow) {
  ClientPacing pacing{HttpLimits{}};
  EXPECT_THAT(pauses_after_answers(pacing, 401, 6), ElementsAre(0, 0, 0, 2, 4, 8));
  EXPECT_THAT(pauses_after_answers(pacing, 403, 1), ElementsAre(16));
  EXPECT_THAT(pauses_after_answers(pacing, 200, 1), ElementsAre(0));
  EXPECT_THAT(pauses_after_answers(pacing, 401, 4), ElementsAre(0, 0, 0, 2));
}

TEST(ClientPacing, PausesAfterNoOtherRefusal) {
  ClientPacing pacing{HttpLimits{}};
  EXPECT_THAT(pauses_after_answers(pacing, 404, 6), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(ClientPacing, HasRefusalsEnoughAfterSoManyInARow) {
  HttpLimits limits;
  limits.refusals = 3;
  ClientPacing pacing(limits);
  pauses_after_answers(pacing, 404, 2);
  EXPECT_FALSE(pacing.has_refusals_enough());
  pauses_after_answers(pacing, 409, 1);
  pauses_after_answers(pacing, 400, 2);
  EXPECT_FALSE(pacing.has_refusals_enough()) << "409 is an answer to a proper request";
  pauses_after_answers(pacing, 401, 1);
  EXPECT_TRUE(pacing.has_refusals_enough());
}

}  // namespace
}  // namespace gantry::testing
