// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>

#include "core/drivers/driver_trial.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

// Creates a driver of the zoo in a process of its own. This process goes on in all cases.
class Trial : public ZooTest {
 protected:
  std::string attempt(const std::string& name, std::chrono::milliseconds time = std::chrono::seconds(60)) {
    put(name);
    const auto files = check_driver_files(settings_);
    EXPECT_TRUE(files.at(0).file) << files.at(0).file.error().message;
    const auto tried = try_driver(settings_, files.at(0), time);
    return tried ? "no error" : tried.error().message;
  }
  const std::string who_ = "loading driver 'zoo': " + (directory_.path() / "zoo.so").string();
};

TEST_F(Trial, AcceptsADriverThatAStartWouldTake) {
  EXPECT_EQ(attempt("plain"), "no error");
}

TEST_F(Trial, SaysWhatTheStartWouldSay) {
  const std::string tried = attempt("failing_create");
  EXPECT_EQ(tried, load());
  EXPECT_THAT(tried, mentions({who_, "the reserve is larger than any host"}));
}

TEST_F(Trial, RunsNothingInThisProcess) {
  ::unsetenv("GANTRY_ZOO_RAN");
  EXPECT_EQ(attempt("constructor"), "no error");
  EXPECT_EQ(::getenv("GANTRY_ZOO_RAN"), nullptr);
}

TEST_F(Trial, NamesDriverAndFileOfACrash) {
  EXPECT_THAT(attempt("crashing_create"), mentions({who_, "its create returns, found a crash by SIGABRT"}));
  EXPECT_THAT(attempt("crashing_constructor"), mentions({who_, "expected that it loads", "found a crash by SIGABRT"}));
}

TEST_F(Trial, NamesDriverAndFileOfAnExit) {
  EXPECT_THAT(attempt("exiting_create"), mentions({who_, "found that it ended the process with exit status 0"}));
}

TEST_F(Trial, EndsADriverThatHangs) {
  EXPECT_THAT(attempt("hanging_create", std::chrono::seconds(1)),
              mentions({who_, "within 1 s, found that it still runs"}));
}

TEST_F(Trial, WaitsForNoProcessThatTheDriverLeavesBehind) {
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(attempt("forking_create"), "no error");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
}

TEST_F(Trial, TakesAllThatADriverPrints) {
  EXPECT_EQ(attempt("printing_create"), "no error");
}

}  // namespace
}  // namespace gantry::drivers
