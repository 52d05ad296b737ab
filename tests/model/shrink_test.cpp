// SPDX-License-Identifier: Apache-2.0
#include "tests/model/shrink.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/model/generate.hpp"
#include "tests/model/run.hpp"

namespace gantry::model {
namespace {

using std::chrono::minutes;
using testing::ElementsAre;

std::vector<Step> numbered(int count) {
  std::vector<Step> steps;
  for (int i = 0; i < count; ++i) steps.push_back({std::to_string(i), {}, {}});
  return steps;
}

std::vector<std::string> names(const std::vector<Step>& steps) {
  std::vector<std::string> result;
  for (const auto& step : steps) result.push_back(step.method);
  return result;
}

bool has(const std::vector<Step>& steps, const std::string& name) {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.method == name; });
}

TEST(Shrink, LeavesWhatTheFailureNeeds) {
  const auto fails = [](const std::vector<Step>& steps) { return has(steps, "17") && has(steps, "83"); };
  EXPECT_THAT(names(shrink(numbered(100), fails, minutes(1))), ElementsAre("17", "83"));
}

TEST(Shrink, LeavesAllWhereAllIsNeeded) {
  const auto fails = [](const std::vector<Step>& steps) { return steps.size() == 9; };
  EXPECT_EQ(shrink(numbered(9), fails, minutes(1)).size(), 9U);
}

TEST(Shrink, LeavesNothingWhereNothingIsNeeded) {
  EXPECT_TRUE(shrink(
                  numbered(10), [](const std::vector<Step>&) { return true; }, minutes(1))
                  .empty());
}

TEST(Steps, ReadFromAFileAreThoseThatWereWritten) {
  const auto steps = Generator(7).sequence(200);
  const auto read = steps_from(to_text(steps));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_text(*read), to_text(steps));
}

// A model that is wrong on purpose stands for a service that is.
TEST(AWrongModel, IsFoundOutByASequenceOfTwoCallsThatCanBeRunAgain) {
  auto wrong = model_for("simple");
  wrong.rule_of["disable_service"] = [](Model&, const Asked&, const Reply&) { return Complaint(); };

  auto steps = Generator(3).sequence(12);
  steps.push_back({"service_register", {{"topic", "compute"}, {"host", "h9"}}, {}});
  steps.push_back({"disable_service", {{"topic", "compute"}, {"host", "h9"}}, {}});
  for (auto& step : Generator(4).sequence(4)) steps.push_back(std::move(step));
  const auto failure = run("simple", steps, wrong);
  ASSERT_TRUE(failure);
  std::string path;
  const auto said = report("simple", steps, wrong, *failure, path);
  EXPECT_THAT(said, testing::HasSubstr("GANTRY_MODEL_REPLAY=" + path));

  std::ifstream file(path);
  auto shortest = steps_from(std::string{std::istreambuf_iterator<char>(file), {}});
  std::remove(path.c_str());
  ASSERT_TRUE(shortest);
  shortest->erase(shortest->begin());  // which driver
  ASSERT_EQ(shortest->size(), 2U) << said;
  EXPECT_EQ(shortest->back().method, "disable_service") << said;
  EXPECT_TRUE(run("simple", *shortest, wrong));
  EXPECT_FALSE(run("simple", *shortest, model_for("simple")));
}

}  // namespace
}  // namespace gantry::model
