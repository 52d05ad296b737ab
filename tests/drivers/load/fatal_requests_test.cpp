// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/fatal_requests.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_directory.hpp"

namespace gantry::drivers {
namespace {

using std::chrono::minutes;

const auto start = FatalRequests::Clock::now();

TEST(FatalRequestsTest, RefuseARequestThatEndedTheProcessTwice) {
  FatalRequests requests;
  EXPECT_EQ(requests.refused_name("simple", {"req-1", "uuid-1"}), "");
  requests.note("simple", {"req-1", "uuid-1"}, start);
  EXPECT_EQ(requests.refused_name("simple", {"req-1", "uuid-1"}, start), "");
  requests.note("simple", {"req-1", "uuid-1"}, start + minutes(1));
  EXPECT_EQ(requests.refused_name("simple", {"req-1", ""}, start + minutes(2)), "request req-1");
  EXPECT_EQ(requests.refused_name("simple", {"req-2", "uuid-1"}, start + minutes(2)), "instance uuid-1");
  EXPECT_EQ(requests.refused_name("simple", {"req-2", "uuid-2"}, start + minutes(2)), "");
  EXPECT_EQ(requests.refused_name("chance", {"req-1", "uuid-1"}, start + minutes(2)), "");
}

TEST(FatalRequestsTest, ForgetAnEndAfterAnHour) {
  FatalRequests requests;
  requests.note("simple", {"req-1", ""}, start);
  requests.note("simple", {"req-1", ""}, start + minutes(30));
  EXPECT_NE(requests.refused_name("simple", {"req-1", ""}, start + minutes(59)), "");
  EXPECT_EQ(requests.refused_name("simple", {"req-1", ""}, start + minutes(61)), "");
}

TEST(FatalRequestsTest, KnowNothingByAnEmptyName) {
  FatalRequests requests;
  for (int end = 0; end < 3; ++end) requests.note("simple", {"", ""}, start);
  EXPECT_EQ(requests.refused_name("simple", {"", ""}, start), "");
}

class FatalRequestsFile : public ::testing::Test {
 protected:
  const support::ScratchDirectory directory_;
  const std::string file_ = directory_.path("crashed-requests");
};

TEST_F(FatalRequestsFile, HandsTheRequestsOfCrashesToTheNextProcess) {
  const std::string odd = "req with \n spaces " + std::string(5000, 'x');
  for (int crash = 0; crash < 2; ++crash) {
    note_crash(file_.c_str(), "simple", {odd, ""});
    note_crash(file_.c_str(), "simple", {"req-once" + std::to_string(crash), "uuid-1"});
  }
  const FatalRequests requests(file_);
  EXPECT_NE(requests.refused_name("simple", {odd, ""}), "");
  EXPECT_EQ(requests.refused_name("simple", {"req-once0", ""}), "");
  EXPECT_EQ(requests.refused_name("simple", {"req-new", "uuid-1"}), "instance uuid-1");
}

TEST_F(FatalRequestsFile, KeepsTheLinesThatStillCount) {
  std::ofstream(file_) << "1000 simple req-old -\nnonsense\n";
  note_crash(file_.c_str(), "simple", {"req-new", ""});
  forget_old_crashes(file_);
  std::ifstream in(file_);
  const std::string left{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(left.find("req-old"), std::string::npos);
  EXPECT_EQ(left.find("nonsense"), std::string::npos);
  EXPECT_NE(left.find("simple req-new -\n"), std::string::npos);
}

TEST_F(FatalRequestsFile, GoesWithTheLastLineThatCounts) {
  std::ofstream(file_) << "1000 simple req-old -\n";
  forget_old_crashes(file_);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace gantry::drivers
