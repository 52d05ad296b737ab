// SPDX-License-Identifier: Apache-2.0
//
// Random sequences of all methods on the real manager, against the model.
//   GANTRY_MODEL_SEED=N      another seed than the suite's
//   GANTRY_MODEL_CALLS=N     so many calls for each driver, in sequences of a thousand
//   GANTRY_MODEL_REPLAY=FILE the sequence that a failure has written
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "core/scheduling/methods/method_table.hpp"
#include "tests/model/generate.hpp"
#include "tests/model/run.hpp"

namespace gantry::model {
namespace {

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Replay {
  std::string driver;
  std::vector<Step> steps;
};

Result<Replay> read_replay(const std::string& path) {
  std::ifstream file(path);
  auto steps = steps_from(std::string{std::istreambuf_iterator<char>(file), {}});
  if (!steps) return std::move(steps).error();
  if (steps->empty() || steps->front().method != "driver") {
    return Error{ErrorCode::invalid_argument, path + ": expected a first line that names the driver", {}};
  }
  Replay replay{text(steps->front().args, "name"), std::move(*steps)};
  replay.steps.erase(replay.steps.begin());
  return replay;
}

class ModelTest : public testing::TestWithParam<std::string> {
 protected:
  static void replay(const std::string& path) {
    const auto replay = read_replay(path);
    ASSERT_TRUE(replay) << replay.error().message;
    if (replay->driver != GetParam()) return;
    const auto failure = run(replay->driver, replay->steps, model_for(replay->driver));
    EXPECT_FALSE(failure) << failure->method << ": " << failure->complaint;
  }
};

TEST_P(ModelTest, TheServiceAnswersAsTheModelSays) {
  if (const char* const path = std::getenv("GANTRY_MODEL_REPLAY")) return replay(path);
  constexpr std::uint64_t longest = 1000;
  const auto calls = number_in("GANTRY_MODEL_CALLS", 1500);
  auto seed = number_in("GANTRY_MODEL_SEED", 20'261'121);
  for (std::uint64_t made = 0; made < calls; made += longest, ++seed) {
    const auto steps = Generator(seed).sequence(std::min(longest, calls - made));
    const auto failure = run(GetParam(), steps, model_for(GetParam()));
    std::string path;
    ASSERT_FALSE(failure) << "seed " << seed << ": "
                          << report(GetParam(), steps, model_for(GetParam()), *failure, path);
  }
  std::cout << calls << " calls with driver " << GetParam() << ", the last seed " << seed - 1 << "\n";
}

INSTANTIATE_TEST_SUITE_P(Drivers, ModelTest, testing::Values("simple", "chance"),
                         [](const auto& driver) { return driver.param; });

TEST(Sequences, ThatFailedOnceDoNotAnyMore) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GANTRY_SEQUENCES)) {
    const auto replay = read_replay(entry.path().string());
    ASSERT_TRUE(replay) << replay.error().message;
    const auto failure = run(replay->driver, replay->steps, model_for(replay->driver));
    EXPECT_FALSE(failure) << entry.path() << ": " << failure->method << ": " << failure->complaint;
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(Model, KnowsEveryMethod) {
  // The tests of access, of the doctor, of whatif and of single methods know these.
  const std::vector<std::string> exceptions{"capacity",
                                            "create_token",
                                            "doctor",
                                            "events",
                                            "export_fleet",
                                            "list_decisions",
                                            "list_tokens",
                                            "log_level",
                                            "nova_select_destinations",
                                            "pause_requests",
                                            "recent_decision",
                                            "reload",
                                            "report",
                                            "restart",
                                            "resume_requests",
                                            "revoke_token",
                                            "rotate_token",
                                            "set_log_level",
                                            "show_decision",
                                            "stats",
                                            "why_not",
                                            "update_aggregates",
                                            "update_instance_info",
                                            "delete_instance_info",
                                            "sync_instance_info"};
  const auto rules = Model::rules();
  std::vector<std::string> unknown;
  for (const auto& method : scheduling::method_table()) {
    const std::string name(method.name);
    const bool is_excepted = std::find(exceptions.begin(), exceptions.end(), name) != exceptions.end();
    if (!is_excepted && !rules.contains(name)) unknown.push_back(name);
  }
  EXPECT_THAT(unknown, testing::IsEmpty());
  EXPECT_TRUE(rules.contains("receive_casts"));
}

TEST(Model, IsAskedAboutEveryMethodThatItKnows) {
  std::set<std::string> asked;
  for (const auto& step : Generator(1).sequence(5000)) asked.insert(step.method);
  for (const auto& [method, rule] : Model::rules()) EXPECT_TRUE(asked.contains(method)) << method;
}

}  // namespace
}  // namespace gantry::model
