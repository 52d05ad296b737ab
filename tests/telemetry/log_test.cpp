// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace gantry::telemetry {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class Log : public testing::Test {
 protected:
  void TearDown() override { unsetenv("JOURNAL_STREAM"); }

  std::string file() const { return directory_ / "gantry.log"; }
  std::string content() const {
    std::ostringstream out;
    out << std::ifstream(file()).rdbuf();
    return out.str();
  }
  std::shared_ptr<Logger> opened(Level level, LogFormat format = LogFormat::text) const {
    auto logger = Logger::open({level, format, file()});
    EXPECT_TRUE(logger) << logger.error().message;
    return *logger;
  }
  static std::string standard_error_of_one_line() {
    testing::internal::CaptureStderr();
    struct stat status {};
    fstat(STDERR_FILENO, &status);
    if (std::getenv("JOURNAL_STREAM") != nullptr && std::string(std::getenv("JOURNAL_STREAM")) == "right") {
      setenv("JOURNAL_STREAM", (std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino)).c_str(), 1);
    }
    (*Logger::open({}))->write(Level::warning, "line");
    return testing::internal::GetCapturedStderr();
  }

  const support::ScratchDirectory scratch_;
  const std::filesystem::path directory_ = scratch_.path();
};

TEST_F(Log, WritesLinesToItsFileAtOnce) {
  const auto logger = opened(Level::info);
  logger->write(Level::info, "driver loaded", {{"id", "ip"}});
  EXPECT_THAT(content(), MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9:]+\\.[0-9]+Z INFO driver loaded id=ip\n"));
}

TEST_F(Log, MakesAFileThatOthersCannotReadWhateverTheUmask) {
  const auto before = umask(0);
  opened(Level::info);
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST_F(Log, AppendsToAFileThatIsThere) {
  opened(Level::info)->write(Level::info, "first");
  opened(Level::info)->write(Level::info, "second");
  EXPECT_THAT(content(), HasSubstr("first"));
  EXPECT_THAT(content(), HasSubstr("second"));
}

TEST_F(Log, DropsLinesBelowItsLevel) {
  const auto logger = opened(Level::warning);
  EXPECT_FALSE(logger->enabled(Level::info));
  EXPECT_TRUE(logger->enabled(Level::error));
  logger->write(Level::info, "quiet");
  EXPECT_EQ(content(), "");
}

TEST_F(Log, TakesBracesInAMessageLiterally) {
  opened(Level::info)->write(Level::info, "{} {0} %v %n");
  EXPECT_THAT(content(), HasSubstr("{} {0} %v %n"));
}

TEST_F(Log, WritesJsonWhenAsked) {
  opened(Level::info, LogFormat::json)->write(Level::error, "m");
  EXPECT_THAT(content(), StartsWith("{\"time\":\""));
}

TEST_F(Log, WritesLogfmtWhenAsked) {
  opened(Level::info, LogFormat::logfmt)->write(Level::error, "m", {{"k", "a b"}});
  EXPECT_THAT(content(), MatchesRegex("time=[^ ]+ level=error msg=m k=\"a b\"\n"));
}

TEST_F(Log, ChangesItsLevelWhileItRuns) {
  const auto logger = opened(Level::warning);
  logger->set_level(Level::debug);
  EXPECT_EQ(logger->level(), Level::debug);
  logger->write(Level::debug, "now");
  EXPECT_THAT(content(), HasSubstr("DEBUG now"));
  logger->set_level(Level::error);
  logger->write(Level::warning, "no more");
  EXPECT_THAT(content(), Not(HasSubstr("no more")));
}

TEST_F(Log, KeepsItsNewestWarningsAndErrors) {
  const auto logger = opened(Level::info);
  logger->write(Level::info, "daily");
  for (int i = 0; i < 300; ++i) logger->write(Level::warning, "warning " + std::to_string(i) + ".");
  logger->write(Level::error, "the last");
  const auto kept = logger->kept_lines();
  ASSERT_EQ(kept.size(), 200U);
  EXPECT_THAT(kept.front(), HasSubstr("WARNING warning 101."));
  EXPECT_THAT(kept.back(), HasSubstr("ERROR the last"));
}

TEST_F(Log, KeepsLinesWholeBetweenThreads) {
  const auto logger = opened(Level::info);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) logger->write(Level::info, std::string(300, 'x'));
    });
  }
  for (auto& thread : threads) thread.join();
  std::istringstream lines(content());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(line.size(), 28 + 5 + 300U);
  EXPECT_EQ(count, 800);
}

TEST_F(Log, RefusesAFileItCannotOpen) {
  const auto logger = Logger::open({Level::info, LogFormat::text, directory_.string()});
  ASSERT_FALSE(logger);
  EXPECT_EQ(logger.error().code, ErrorCode::invalid_configuration);
  EXPECT_THAT(logger.error().message, HasSubstr(directory_.string()));
}

TEST_F(Log, ACheckSaysWhatOpeningWouldSayAndMakesNothing) {
  EXPECT_TRUE(Logger::check({}));
  EXPECT_TRUE(Logger::check({Level::info, LogFormat::text, (directory_ / "new" / "log" / "gantryd.log").string()}));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "new"));
  EXPECT_FALSE(Logger::check({Level::info, LogFormat::text, directory_.string()}));
  EXPECT_FALSE(Logger::check({Level::info, LogFormat::text, "/dev/null/gantryd.log"}));
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  EXPECT_EQ(Logger::check({Level::info, LogFormat::text, file()}).error().message,
            Logger::open({Level::info, LogFormat::text, file()}).error().message);
}

TEST_F(Log, RefusesAFifoWithoutWaitingForItsReader) {
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  const auto logger = Logger::open({Level::info, LogFormat::text, file()});
  ASSERT_FALSE(logger);
  EXPECT_THAT(logger.error().message, HasSubstr("expected a regular file"));
}

TEST_F(Log, FollowsALinkOfItsOwnUserAndNoneThatAnotherOneMade) {
  std::filesystem::create_symlink(directory_ / "target", file());
  opened(Level::info)->write(Level::info, "by a link");
  EXPECT_THAT(content(), HasSubstr("by a link"));
  std::filesystem::permissions(directory_, std::filesystem::perms(0777));
  EXPECT_THAT(Logger::open({Level::info, LogFormat::text, file()}).error().message,
              HasSubstr("a symbolic link in a directory that others may write"));
  std::filesystem::permissions(directory_, std::filesystem::perms(0755));
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
  ASSERT_EQ(lchown(file().c_str(), 12345, 0), 0);
  const auto logger = Logger::open({Level::info, LogFormat::text, file()});
  ASSERT_FALSE(logger);
  EXPECT_THAT(logger.error().message, HasSubstr("a symbolic link that belongs to user 12345"));
}

TEST_F(Log, WritesOnInANewFileWhenTheOldOneWasRenamed) {
  const auto logger = opened(Level::info);
  logger->write(Level::info, "before");
  std::filesystem::rename(file(), file() + ".1");
  logger->write(Level::info, "between");
  ASSERT_TRUE(logger->reopen());
  logger->write(Level::info, "after");
  EXPECT_THAT(content(), HasSubstr("after"));
  EXPECT_THAT(content(), testing::Not(HasSubstr("between")));
  std::filesystem::rename(file() + ".1", file());
  EXPECT_THAT(content(), testing::AllOf(HasSubstr("before"), HasSubstr("between")));
}

TEST_F(Log, WritesOnInTheOldFileIfANewOneCannotBeOpened) {
  const auto logger = opened(Level::info);
  std::filesystem::rename(file(), file() + ".1");
  std::filesystem::create_directory(file());
  const auto reopened = logger->reopen();
  ASSERT_FALSE(reopened);
  EXPECT_THAT(reopened.error().message, HasSubstr(file()));
  logger->write(Level::info, "after");
  std::filesystem::remove(file());
  std::filesystem::rename(file() + ".1", file());
  EXPECT_THAT(content(), HasSubstr("after"));
}

TEST_F(Log, WritesToStandardErrorWithoutAFile) {
  EXPECT_THAT(standard_error_of_one_line(), HasSubstr("Z WARNING line\n"));
}

TEST_F(Log, WritesPrioritiesWhenStandardErrorIsTheJournal) {
  setenv("JOURNAL_STREAM", "right", 1);
  EXPECT_EQ(standard_error_of_one_line(), "<4>WARNING line\n");
}

TEST_F(Log, WritesTheTimeWhenTheJournalIsSomebodyElses) {
  setenv("JOURNAL_STREAM", "1:1", 1);
  EXPECT_THAT(standard_error_of_one_line(), HasSubstr("Z WARNING line\n"));
}

TEST_F(Log, DropsEachLineWithoutALogger) {
  testing::internal::CaptureStderr();
  const auto logger = Logger::none();
  EXPECT_FALSE(logger->enabled(Level::error));
  logger->write(Level::error, "nothing");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace gantry::telemetry
