// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/parts.hpp"

#include <gmock/gmock.h>

#include <condition_variable>
#include <memory>
#include <mutex>

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::ElementsAre;

// A thread waits until another one opens it. Both own it, as a part may outlive its test.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

TEST(Parts, SayTheirFindingsInOrderWhicheverEndsFirst) {
  const auto second_is_through = std::make_shared<Gate>();
  std::vector<std::string> said;
  const bool all = run_parts({{"first",
                               [second_is_through](const Report& report) {
                                 report.ok("first", "begins");
                                 second_is_through->wait();
                                 report.ok("first", "ends");
                               }},
                              {"second",
                               [second_is_through](const Report& report) {
                                 report.ok("second", "is quick");
                                 second_is_through->open();
                               }}},
                             steady_clock::now() + seconds(60), [&said](const Finding& finding) {
                               said.push_back(finding.subject + " " + finding.sentence);
                             });
  EXPECT_TRUE(all);
  EXPECT_THAT(said, ElementsAre("first begins", "first ends", "second is quick"));
}

TEST(Parts, ThatDoNotEndInTimeAreNamedAndHideNoOther) {
  const auto answer = std::make_shared<Gate>();
  const auto end = std::make_shared<Gate>();
  std::vector<std::string> said;
  const bool all = run_parts({{"hangs",
                               [answer, end](const Report& report) {
                                 answer->wait();
                                 report.ok("hangs", "is back");
                                 end->open();
                               }},
                              {"works", [](const Report& report) { report.warn("works", "well"); }}},
                             steady_clock::now() + seconds(2), [&said](const Finding& finding) {
                               said.push_back(std::string(word_of(finding.level)) + " " + finding.subject);
                             });
  answer->open();
  end->wait();
  EXPECT_FALSE(all);
  EXPECT_THAT(said, ElementsAre("failed hangs", "warning works"));
}

}  // namespace
}  // namespace gantry::nova
