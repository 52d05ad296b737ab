// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/crash_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/encoding/json.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::telemetry {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class CrashLogTest : public testing::Test {
 protected:
  std::string standard_error_of(const LogSettings& settings, std::string_view message,
                                std::initializer_list<CrashLog::Field> fields) const {
    const CrashLog log(settings);
    testing::internal::CaptureStderr();
    log.write(message, fields);
    return testing::internal::GetCapturedStderr();
  }
  std::string content() const {
    std::ifstream log(file());
    return {std::istreambuf_iterator<char>(log), {}};
  }
  static LogSettings as_json() { return {Level::info, LogFormat::json, {}}; }
  std::string file() const { return directory_.path("gantry.log"); }

  const support::ScratchDirectory directory_;
};

TEST_F(CrashLogTest, WritesALineOfTheLogToStandardErrorAndToTheFile) {
  const auto line =
      standard_error_of({Level::info, LogFormat::text, file()}, "it crashed", {{"driver", "ip"}, {"path", "/a b.so"}});
  const auto form = MatchesRegex("[0-9-]+T[0-9:]+\\.[0-9]+Z ERROR it crashed driver=ip path=\"/a b.so\"\n");
  EXPECT_THAT(line, form);
  EXPECT_THAT(content(), form);
}

TEST_F(CrashLogTest, WritesJsonIfTheLogIsJson) {
  const auto line = standard_error_of(as_json(), "it said \"no\"\n", {{"driver", "ip"}, {"path", ""}});
  const auto parsed = json::parse_object(line);
  ASSERT_TRUE(parsed) << line;
  EXPECT_EQ(parsed->at("level").as_string(), "error");
  EXPECT_EQ(parsed->at("message").as_string(), "it said \"no\"?");
  EXPECT_EQ(parsed->at("driver").as_string(), "ip");
  EXPECT_FALSE(parsed->contains("path"));
  EXPECT_TRUE(parsed->contains("time"));
}

TEST_F(CrashLogTest, WritesLogfmtIfTheLogIsLogfmt) {
  const auto line = standard_error_of({Level::info, LogFormat::logfmt, {}}, "it crashed", {{"path", "/a b.so"}});
  EXPECT_THAT(line, MatchesRegex("time=[0-9-]+T[0-9:]+\\.[0-9]+Z level=error msg=\"it crashed\" path=\"/a b.so\"\n"));
}

TEST_F(CrashLogTest, CutsLongTextsAndKeepsTheLineWhole) {
  const std::string endless(100'000, '"');
  const auto line = standard_error_of(as_json(), endless, {{"driver", endless}, {"path", endless}});
  EXPECT_TRUE(json::parse_object(line)) << line.size();
}

TEST_F(CrashLogTest, ReplacesWhatSteersATerminalAndWhatIsNotUtf8) {
  const auto line = standard_error_of({}, "a\x1b[2J\xc2\x9b\xff\xe2\x82\xac", {});
  EXPECT_THAT(line, HasSubstr("ERROR a?[2J??\xe2\x82\xac\n"));
}

TEST_F(CrashLogTest, WritesOneLineIfStandardErrorIsTheLogFile) {
  const int before = ::dup(STDERR_FILENO);
  ASSERT_NE(std::freopen(file().c_str(), "a", stderr), nullptr);
  CrashLog({Level::info, LogFormat::text, file()}).write("it crashed", {});
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  const auto text = content();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

}  // namespace
}  // namespace gantry::telemetry
