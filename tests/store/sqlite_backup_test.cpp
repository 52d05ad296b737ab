// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_backup.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "core/store/sqlite_schema.hpp"
#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::HasSubstr;

class SqliteBackup : public StoreTest {
 protected:
  BackupSettings wish() const {
    BackupSettings wish;
    wish.store_path = settings_.path;
    wish.file = file();
    wish.taken_at = 1'700'000'000'000'000'000;
    return wish;
  }
  std::string file() const { return (directory_ / "there.backup").string(); }

  Error refused(const BackupSettings& wish) const {
    const auto written = write_backup(wish);
    EXPECT_FALSE(written);
    return written ? Error{} : written.error();
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory_), {}));
  }
};

std::uint64_t count_of(const BackupFacts& facts, std::string_view table) {
  for (const auto& [name, count] : facts.documents)
    if (name == table) return count;
  return 0;
}

TEST_F(SqliteBackup, ACopyOfAStoreInUseHoldsEveryAnsweredChangeAndOpensAsAStore) {
  const auto store = opened();
  ASSERT_TRUE(committed(*store, put("a", "1")));
  ASSERT_TRUE(committed(*store, put("b", "2", Kind::instance)));
  const auto facts = write_backup(wish());
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->schema, static_cast<int>(schema_steps().size()));
  EXPECT_EQ(facts->commits, 2U);
  EXPECT_EQ(facts->taken_at, wish().taken_at);
  EXPECT_EQ(count_of(*facts, "services"), 1U);
  EXPECT_EQ(count_of(*facts, "instances"), 1U);
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  settings_.path = file();
  EXPECT_EQ(loaded(*opened(), Kind::instance).at("b"), "2");
}

// Each batch puts one number under two keys of two kinds.
TEST_F(SqliteBackup, WhileTheStoreIsWrittenTheCopyShowsOneMoment) {
  const auto store = opened();
  std::atomic<bool> is_over = false;
  std::atomic<int> answered = 0;
  std::thread writer([&] {
    const std::string padding(2000, 'x');
    for (int number = 1; !is_over; ++number) {
      const std::string text = std::to_string(number);
      Batch batch = put("k" + std::to_string(number % 500), padding + text);
      batch.push_back({Kind::service, "number", text});
      batch.push_back({Kind::instance, "number", text});
      if (committed(*store, std::move(batch))) answered = number;
    }
  });
  while (answered < 20) std::this_thread::yield();
  auto settings = wish();
  settings.overwrites = true;
  for (int round = 0; round < 10; ++round) {
    const int before = answered;
    const auto facts = write_backup(settings);
    ASSERT_TRUE(facts) << facts.error().message;
    auto copy = open_backup(file());
    ASSERT_TRUE(copy);
    const auto in_services = copy->ask("SELECT CAST(document AS INTEGER) FROM services WHERE key = 'number'");
    const auto in_instances = copy->ask("SELECT CAST(document AS INTEGER) FROM instances WHERE key = 'number'");
    EXPECT_EQ(*in_services, *in_instances);
    EXPECT_GE(*in_services, before);
    EXPECT_EQ(facts->commits, static_cast<CommitNumber>(*in_services));
  }
  is_over = true;
  writer.join();
}

TEST_F(SqliteBackup, AStoreThatNobodyUsesIsCopiedToo) {
  {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("a", "1")));
  }
  const auto facts = write_backup(wish());
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(count_of(*facts, "services"), 1U);
}

TEST_F(SqliteBackup, ToldOfItsProgressAndOfItsEnd) {
  const auto store = opened();
  for (int number = 0; number < 40; ++number)
    ASSERT_TRUE(committed(*store, put(std::to_string(number), std::string(100'000, 'x'))));
  std::vector<std::uint64_t> copied;
  std::uint64_t last = 0;
  auto settings = wish();
  settings.progress = [&](std::uint64_t now, std::uint64_t all) {
    copied.push_back(now);
    last = all;
  };
  ASSERT_TRUE(write_backup(settings));
  ASSERT_GT(copied.size(), 2U);
  EXPECT_EQ(copied.back(), last);
}

TEST_F(SqliteBackup, AFileThatIsThereIsKeptUnlessAskedOtherwise) {
  const auto store = opened();
  write_bytes(file(), "precious");
  EXPECT_EQ(refused(wish()).code, ErrorCode::already_exists);
  EXPECT_EQ(bytes_of(file()), "precious");
  auto settings = wish();
  settings.overwrites = true;
  EXPECT_TRUE(write_backup(settings));
  EXPECT_TRUE(examine_backup(file()));
}

TEST_F(SqliteBackup, OfRootBelongsToTheOwnerOfTheStoreWhoRestoresIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root writes for another user";
  const auto store = opened();
  ASSERT_EQ(chown(settings_.path.c_str(), 4711, 4712), 0);
  ASSERT_TRUE(write_backup(wish()));
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 4711U);
  EXPECT_EQ(status.st_gid, 4712U);
}

TEST_F(SqliteBackup, APlaceThatIsNoneIsRefusedAndNothingIsLeftBehind) {
  const auto store = opened();
  const auto before = files();
  auto settings = wish();
  settings.file = (directory_ / "no" / "such").string();
  EXPECT_THAT(refused(settings).message, testing::AllOf(HasSubstr("its directory"), HasSubstr("No such file")));
  for (const char* const suffix : {"", "-wal", "-shm", "-journal", ".lock"}) {
    settings.file = settings_.path + suffix;
    settings.overwrites = true;
    EXPECT_THAT(refused(settings).message, HasSubstr("a file of the store itself")) << suffix;
  }
  settings.file = directory_.string();
  EXPECT_THAT(refused(settings).message, HasSubstr("found a directory"));
  settings.file = "";
  EXPECT_THAT(refused(settings).message, HasSubstr("expected the name of a file"));
  ASSERT_EQ(symlink(settings_.path.c_str(), file().c_str()), 0);
  EXPECT_THAT(refused(wish()).message, HasSubstr("a file of the store itself"));
  std::filesystem::remove(file());
  ASSERT_EQ(symlink("elsewhere", file().c_str()), 0);
  EXPECT_THAT(refused(wish()).message, HasSubstr("symbolic link"));
  std::filesystem::remove(file());
  EXPECT_EQ(files(), before);
}

TEST_F(SqliteBackup, WithoutAStoreThereIsNothingToCopy) {
  EXPECT_THAT(refused(wish()).message, testing::AllOf(HasSubstr(settings_.path), HasSubstr("No such file")));
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(SqliteBackup, AFullDiskIsNamedAndLeavesNothing) {
  const auto small = directory_ / "small";
  std::filesystem::create_directory(small);
  if (mount("none", small.c_str(), "tmpfs", 0, "size=1m,mode=0700") != 0)
    GTEST_SKIP() << "only root can mount a small file system";
  {
    const auto store = opened();
    for (int number = 0; number < 20; ++number)
      ASSERT_TRUE(committed(*store, put(std::to_string(number), std::string(100'000, 'x'))));
    auto settings = wish();
    settings.file = (small / "there.backup").string();
    const auto error = refused(settings);
    EXPECT_EQ(error.code, ErrorCode::resource_exhausted);
    EXPECT_THAT(error.message, testing::AllOf(HasSubstr(settings.file), HasSubstr("no space left")));
    EXPECT_TRUE(std::filesystem::is_empty(small));
    EXPECT_TRUE(committed(*store, put("still", "1")));
  }
  EXPECT_EQ(umount(small.c_str()), 0);
}

TEST_F(SqliteBackup, WhatIsNoBackupIsNamed) {
  const auto said = [this] {
    const auto facts = examine_backup(file());
    return facts ? std::string("accepted") : facts.error().message;
  };
  EXPECT_THAT(said(), HasSubstr("No such file"));
  write_bytes(file(), "");
  EXPECT_THAT(said(), HasSubstr("a file of 0 bytes"));
  write_bytes(file(), "just text, and quite some of it");
  EXPECT_THAT(said(), HasSubstr("with another beginning"));
  std::filesystem::remove(file());
  const auto own = settings_.path;
  settings_.path = file();
  run_sql("CREATE TABLE somebody_elses (x)");
  EXPECT_THAT(said(), HasSubstr("not a Gantry store"));
  settings_.path = own;
}

TEST_F(SqliteBackup, ADamagedOneIsNamed) {
  {
    const auto store = opened();
    for (int number = 0; number < 100; ++number)
      ASSERT_TRUE(committed(*store, put(std::to_string(number), std::string(1000, 'x'))));
  }
  ASSERT_TRUE(write_backup(wish()));
  auto bytes = bytes_of(file());
  std::fill(bytes.begin() + 4096, bytes.begin() + 5 * 4096, '\x5a');
  write_bytes(file(), bytes);
  const auto facts = examine_backup(file());
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("damaged"));
  write_bytes(file(), bytes.substr(0, bytes.size() / 2));
  EXPECT_FALSE(examine_backup(file()));
}

TEST_F(SqliteBackup, OneOfANewerSchemaIsNamed) {
  { const auto store = opened(); }
  run_sql("PRAGMA user_version = 99");
  const auto facts = examine_backup(settings_.path);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, testing::AllOf(HasSubstr("99"), HasSubstr("newer gantry")));
}

TEST_F(SqliteBackup, ANameWithSignsOfAUriIsReadAsItIs) {
  const auto store = opened();
  auto settings = wish();
  settings.file = (directory_ / "a?mode=memory#b%20c").string();
  ASSERT_TRUE(write_backup(settings));
  EXPECT_TRUE(examine_backup(settings.file));
}

}  // namespace
}  // namespace gantry::store
