// SPDX-License-Identifier: Apache-2.0
//
// The daemon killed at random moments and between any two system calls that touch its store: nothing that was answered
// is lost, and no server is there twice. GANTRY_KILLS says how often it is killed, GANTRY_SEED repeats the choices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "tests/reliability/chosen.hpp"
#include "tests/reliability/kill_run.hpp"

namespace gantry::reliability {
namespace {

using testing::IsEmpty;

TEST(Kill, LosesNoAnsweredChangeAndDoublesNoServer) {
  const KillRunSettings settings{chosen("GANTRY_KILLS", GANTRY_SUITE_KILLS), chosen_seed()};
  std::cout << "GANTRY_SEED=" << settings.seed << " GANTRY_KILLS=" << settings.kills << std::endl;
  const auto result = run_kills(settings);
  std::cout << result.table;
  EXPECT_THAT(result.findings.lost, IsEmpty());
  EXPECT_THAT(result.findings.doubled, IsEmpty());
  EXPECT_THAT(result.findings.wrong, IsEmpty());
  EXPECT_GT(result.progress.placed, 0U);
  EXPECT_GT(result.progress.deleted, 0U);
  EXPECT_GT(result.progress.delivered, 0U);
}

}  // namespace
}  // namespace gantry::reliability
