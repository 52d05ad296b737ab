// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/parts.hpp"

#include <gmock/gmock.h>

#include <future>

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::ElementsAre;

TEST(Parts, SayTheirFindingsInOrderWhicheverEndsFirst) {
  std::promise<void> second_has_ended;
  const auto ended = second_has_ended.get_future().share();
  std::vector<std::string> said;
  const bool all = run_parts({{"first",
                               [ended](const Report& report) {
                                 report.ok("first", "begins");
                                 ended.wait();
                                 report.ok("first", "ends");
                               }},
                              {"second",
                               [&second_has_ended](const Report& report) {
                                 report.ok("second", "is quick");
                                 second_has_ended.set_value();
                               }}},
                             steady_clock::now() + seconds(60), [&said](const Finding& finding) {
                               said.push_back(finding.subject + " " + finding.sentence);
                             });
  EXPECT_TRUE(all);
  EXPECT_THAT(said, ElementsAre("first begins", "first ends", "second is quick"));
}

TEST(Parts, ThatDoNotEndInTimeAreNamedAndHideNoOther) {
  std::promise<void> release;
  std::promise<void> has_ended;
  std::vector<std::string> said;
  const bool all = run_parts({{"hangs",
                               [waits = release.get_future().share(), &has_ended](const Report& report) {
                                 waits.wait();
                                 report.ok("hangs", "is back");
                                 has_ended.set_value_at_thread_exit();
                               }},
                              {"works", [](const Report& report) { report.warn("works", "well"); }}},
                             steady_clock::now() + seconds(2), [&said](const Finding& finding) {
                               said.push_back(std::string(word_of(finding.level)) + " " + finding.subject);
                             });
  release.set_value();
  has_ended.get_future().wait();
  EXPECT_FALSE(all);
  EXPECT_THAT(said, ElementsAre("failed hangs", "warning works"));
}

}  // namespace
}  // namespace gantry::nova
