// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_restore.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "core/store/sqlite_file.hpp"
#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::HasSubstr;

class SqliteRestore : public StoreTest {
 protected:
  std::string file() const { return (directory_ / "there.backup").string(); }

  void back_up() const {
    BackupSettings wish;
    wish.store_path = settings_.path;
    wish.file = file();
    wish.taken_at = 1'700'000'000'000'000'000;
    const auto written = write_backup(wish);
    ASSERT_TRUE(written) << written.error().message;
  }

  // A revision that changes nothing, and remembers the services that it was shown.
  RestoreSettings wish() {
    RestoreSettings wish;
    wish.store_path = settings_.path;
    wish.file = file();
    wish.restored_at = 1'700'000'600'000'000'000;
    wish.revise = [this](const ReadDocuments& backup, const ReadDocuments* present) -> Result<Batch> {
      in_backup_ = backup(Kind::service)->size();
      in_present_ = present == nullptr ? std::nullopt : std::optional((*present)(Kind::service)->size());
      return Batch();
    };
    return wish;
  }

  // A backup with one service, and a store that went on to three.
  void make_history() {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("a", "1")));
    back_up();
    ASSERT_TRUE(committed(*store, put("b", "2")));
    ASSERT_TRUE(committed(*store, put("c", "3")));
  }

  Error refused() {
    const auto done = restore(wish());
    EXPECT_FALSE(done);
    return done ? Error{} : done.error();
  }

  std::size_t in_backup_ = 0;
  std::optional<std::size_t> in_present_;
};

TEST_F(SqliteRestore, PutsTheBackupInPlaceAndKeepsWhatWasThere) {
  make_history();
  const auto done = restore(wish());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(in_backup_, 1U);
  EXPECT_EQ(in_present_, 3U);
  EXPECT_EQ(done->kept_as, settings_.path + ".before-restore-20231114T222320Z");
  EXPECT_EQ(done->backup.taken_at, 1'700'000'000'000'000'000);
  struct stat status {};
  ASSERT_EQ(stat(settings_.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  {
    const auto store = opened();
    ASSERT_TRUE(store);
    EXPECT_EQ(loaded(*store).size(), 1U);
    ASSERT_TRUE(store->restored());
    EXPECT_EQ(store->restored()->restored_at, wish().restored_at);
    EXPECT_EQ(store->restored()->taken_at, done->backup.taken_at);
  }
  settings_.path = done->kept_as;
  EXPECT_EQ(loaded(*opened()).size(), 3U);
}

TEST_F(SqliteRestore, AStoreThatWasKilledIsKeptWithItsLog) {
  make_history();
  // As a kill leaves it: its last commits in the log alone.
  std::filesystem::copy_file(settings_.path, settings_.path + ".aside");
  {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("d", "4")));
    std::filesystem::copy_file(settings_.path + "-wal", settings_.path + ".aside-wal");
  }
  std::filesystem::rename(settings_.path + ".aside", settings_.path);
  std::filesystem::rename(settings_.path + ".aside-wal", settings_.path + "-wal");
  const auto done = restore(wish());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(in_present_, 4U);
  EXPECT_FALSE(std::filesystem::exists(settings_.path + "-wal"));
  EXPECT_EQ(loaded(*opened()).size(), 1U);
  settings_.path = done->kept_as;
  EXPECT_EQ(loaded(*opened()).size(), 4U);
}

TEST_F(SqliteRestore, WhatWasKeptIsRestoredInTheSameWay) {
  make_history();
  auto first = restore(wish());
  ASSERT_TRUE(first);
  auto back = wish();
  back.file = first->kept_as;
  const auto second = restore(back);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->kept_as, first->kept_as + "-2");
  EXPECT_EQ(second->backup.taken_at, 0);
  EXPECT_EQ(loaded(*opened()).size(), 3U);
}

TEST_F(SqliteRestore, RefusesWhileAProcessUsesTheStore) {
  make_history();
  const auto store = opened();
  const auto error = refused();
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_THAT(error.message, testing::AllOf(HasSubstr("already used by process " + std::to_string(getpid())),
                                            HasSubstr(settings_.path)));
  EXPECT_EQ(loaded(*store).size(), 3U);
}

TEST_F(SqliteRestore, ARefusedFileChangesNothing) {
  make_history();
  const auto untouched = bytes_of(settings_.path);
  auto damaged = bytes_of(file());
  std::fill(damaged.begin() + 4096, damaged.end(), '\x5a');
  for (const std::string& content : {std::string(), std::string("some text that is no store at all"), damaged}) {
    write_bytes(file(), content);
    EXPECT_THAT(refused().message, HasSubstr(file()));
    EXPECT_EQ(bytes_of(settings_.path), untouched);
  }
  auto itself = wish();
  itself.file = settings_.path;
  EXPECT_THAT(restore(itself).error().message, HasSubstr("a file of the store itself"));
  itself.file = (directory_ / "nothing").string();
  EXPECT_THAT(restore(itself).error().message, HasSubstr("No such file"));
  for (const auto& each : std::filesystem::directory_iterator(directory_))
    EXPECT_THAT(each.path().string(), testing::Not(HasSubstr("restor")));
}

TEST_F(SqliteRestore, ARevisionThatFailsChangesNothing) {
  make_history();
  const auto untouched = bytes_of(settings_.path);
  auto failing = wish();
  failing.revise = [](const ReadDocuments& /*backup*/, const ReadDocuments* /*present*/) -> Result<Batch> {
    return Error{ErrorCode::internal, "a claim is damaged", {}};
  };
  EXPECT_THAT(restore(failing).error().message, HasSubstr("a claim is damaged"));
  EXPECT_EQ(bytes_of(settings_.path), untouched);
  EXPECT_FALSE(std::filesystem::exists(settings_.path + ".restoring"));
}

TEST_F(SqliteRestore, ADiskThatIsFullChangesNothing) {
  const auto small = directory_ / "small";
  std::filesystem::create_directory(small);
  if (mount("none", small.c_str(), "tmpfs", 0, "size=1m,mode=0700") != 0)
    GTEST_SKIP() << "only root can mount a small file system";
  settings_.path = (small / "gantry.db").string();
  make_history();
  for (int i = 0; std::ofstream(small / std::to_string(i)) << std::string(20'000, 'b') << std::flush; ++i) {
  }
  const auto untouched = bytes_of(settings_.path);
  const auto error = refused();
  EXPECT_EQ(error.code, ErrorCode::resource_exhausted);
  EXPECT_THAT(error.message, testing::AllOf(HasSubstr(settings_.path), HasSubstr("no space left")));
  EXPECT_EQ(bytes_of(settings_.path), untouched);
  EXPECT_FALSE(std::filesystem::exists(settings_.path + ".restoring"));
  EXPECT_EQ(umount(small.c_str()), 0);
}

TEST_F(SqliteRestore, TheRevisionIsInTheRestoredStore) {
  make_history();
  auto revising = wish();
  revising.revise = [](const ReadDocuments& /*backup*/, const ReadDocuments* /*present*/) -> Result<Batch> {
    return Batch{{Kind::service, "a", std::nullopt}, {Kind::token, "t", "{}"}};
  };
  ASSERT_TRUE(restore(revising));
  const auto store = opened();
  EXPECT_TRUE(loaded(*store).empty());
  EXPECT_EQ(loaded(*store, Kind::token).size(), 1U);
}

TEST_F(SqliteRestore, ADamagedStoreIsReplacedAndKept) {
  make_history();
  auto damaged = bytes_of(settings_.path);
  std::fill(damaged.begin() + 4096, damaged.end(), '\x5a');
  write_bytes(settings_.path, damaged);
  const auto done = restore(wish());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(in_present_, std::nullopt);
  EXPECT_THAT(done->why_unknown, HasSubstr("damaged"));
  EXPECT_EQ(bytes_of(done->kept_as), damaged);
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(SqliteRestore, WithoutAStoreTheBackupBecomesOne) {
  make_history();
  std::filesystem::remove(settings_.path);
  const auto done = restore(wish());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->kept_as, "");
  EXPECT_THAT(done->why_unknown, HasSubstr("there is no store"));
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

// An interruption leaves the store moved aside, and the number of the last answered commit in the lock file.
TEST_F(SqliteRestore, ARestoreThatWasInterruptedLetsNoEmptyStoreStartAndRunsAgain) {
  make_history();
  std::filesystem::rename(settings_.path, settings_.path + ".before-restore-1");
  write_bytes(settings_.path + ".restoring", "half");
  EXPECT_THAT(refusal().message, HasSubstr("an older copy"));
  std::filesystem::remove(settings_.path);
  ASSERT_TRUE(restore(wish()));
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(SqliteRestore, JudgingChangesNothingAlsoWhileTheStoreIsUsed) {
  make_history();
  const auto store = opened();
  const auto judged = judge_restore(wish());
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(in_present_, 3U);
  EXPECT_EQ(loaded(*store).size(), 3U);
}

TEST_F(SqliteRestore, ChangesAfterTheRestoreCountOn) {
  make_history();
  ASSERT_TRUE(restore(wish()));
  {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("new", "1")));
  }
  EXPECT_EQ(loaded(*opened()).size(), 2U);
}

TEST_F(SqliteRestore, TheFirstStartSaysSoAndTheNextDoesNot) {
  make_history();
  ASSERT_TRUE(restore(wish()));
  telemetry::LogSettings log;
  log.file = (directory_ / "log").string();
  settings_.logger = *telemetry::Logger::open(log);
  { const auto store = opened(); }
  EXPECT_THAT(bytes_of(log.file),
              testing::AllOf(HasSubstr("was restored from a backup"), HasSubstr("2023-11-14T22:13:20")));
  write_bytes(log.file, "");
  ASSERT_TRUE(settings_.logger->reopen());
  { const auto store = opened(); }
  EXPECT_THAT(bytes_of(log.file), testing::Not(HasSubstr("restored")));
}

}  // namespace
}  // namespace gantry::store
