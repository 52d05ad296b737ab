// SPDX-License-Identifier: Apache-2.0
//
// Many clients for the last free slots of small fleets: no host is ever over its limits, and no slot is lost.
// GANTRY_DECISIONS says how many decisions there are at least, GANTRY_SEED repeats the choices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/reliability/chosen.hpp"
#include "tests/reliability/connection.hpp"
#include "tests/reliability/race_run.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::reliability {
namespace {

using testing::IsEmpty;

void race(std::uint64_t usual, const Connect& connect) {
  RaceSettings settings;
  settings.decisions = chosen("GANTRY_DECISIONS", usual);
  settings.seed = chosen_seed();
  std::cout << "GANTRY_SEED=" << settings.seed << " GANTRY_DECISIONS=" << settings.decisions << std::endl;
  const auto result = run_race(settings, connect);
  std::cout << result.table;
  EXPECT_THAT(result.over_limits, IsEmpty());
  EXPECT_THAT(result.unusable, IsEmpty());
  EXPECT_THAT(result.wrong, IsEmpty());
  EXPECT_GT(result.placed, 0U);
  EXPECT_GT(result.refused, 0U);
}

TEST(Race, NoSlotIsGivenTwiceOrLostWithinOneProcess) {
  scheduling::RunningManager manager("simple");
  race(GANTRY_SUITE_DECISIONS, [&manager]() -> Ask {
    return [&manager](const std::string& method, const json::object& args, const std::string& key) {
      const auto reply = manager.call(method, json::write(args), key);
      if (reply) return Reply{true, *reply, {}, {}};
      return Reply{false, nullptr, std::string(name_of(reply.error().code)), reply.error().message};
    };
  });
}

TEST(Race, NoSlotIsGivenTwiceOrLostThroughTheSocket) {
  test::RunningGantry gantry;
  gantry.configure("\"simple\"", "[log]\nlevel = \"error\"\n");
  gantry.start();
  CallCounts counts;
  race(GANTRY_SUITE_DECISIONS / 2, [&]() -> Ask {
    const auto connection = std::make_shared<Connection>(gantry.url(), counts);
    return [connection](const std::string& method, const json::object& args, const std::string& key) {
      auto answer = connection->ask(method, args, 20'000, key);
      return Reply{answer.ok, std::move(answer.result), std::move(answer.code), std::move(answer.message)};
    };
  });
}

}  // namespace
}  // namespace gantry::reliability
