// SPDX-License-Identifier: Apache-2.0
//
// Files of a store that somebody has changed, and a disk and a directory that are not as they should be: what a restore, its
// check and a start say, and that they say the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mount.h>

#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

class HostileStore : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"");
    gantry.start();
    ASSERT_EQ(gantry.gantry({"token", "create", "--role", "reader", "--token-out", path("token"), "page"}).exit_status,
              0);
    ASSERT_EQ(gantry.gantry({"aggregate", "create", "rack1"}).exit_status, 0);
    ASSERT_EQ(with_config({"backup", path("good.backup")}).exit_status, 0);
  }

  std::string path(const std::string& name) const { return (gantry.directory() / name).string(); }
  Ran with_config(std::vector<std::string> words) const {
    words.insert(words.end(), {"--config", gantry.config_file()});
    return gantry.gantry(words);
  }
  // A backup as the good one, but for the SQL.
  std::string changed_backup(const std::string& sql) const {
    const auto file = path("changed.backup");
    std::filesystem::copy_file(path("good.backup"), file, std::filesystem::copy_options::overwrite_existing);
    run_sql(file, sql);
    return file;
  }
  static void expect_no_escapes(const std::string& text) { EXPECT_EQ(text.find('\x1b'), std::string::npos) << text; }
  std::size_t aggregates() const { return gantry.list({"aggregate", "list"}).size(); }

  RunningGantry gantry;
};

TEST_F(HostileStore, ABackupThatWouldMakeAnAdminsTokenIsRefused) {
  const std::string secret(64, 'a');
  const auto file = changed_backup(
      "CREATE TRIGGER quiet AFTER UPDATE ON meta WHEN NOT EXISTS (SELECT 1 FROM tokens WHERE key = 'mine') "
      "BEGIN INSERT INTO tokens VALUES ('mine', '{\"id\":\"mine\",\"sha256\":\"" +
      secret + "\",\"role\":\"admin\",\"name\":\"page\"}'); END");
  const auto checked = with_config({"restore", "--check", file});
  EXPECT_NE(checked.exit_status, 0);
  EXPECT_THAT(checked.err, AllOf(HasSubstr(file), HasSubstr("trigger quiet"), HasSubstr("expected gantry's tables")));
  EXPECT_EQ(gantry.stop(), 0);
  const auto restored = with_config({"restore", file});
  EXPECT_NE(restored.exit_status, 0);
  EXPECT_THAT(restored.err, HasSubstr("trigger quiet"));
  // In the store itself a start finds it.
  run_sql(gantry.store_path(), "CREATE TRIGGER quiet AFTER UPDATE ON meta BEGIN DELETE FROM claims; END");
  const auto refused = gantry.start_refused();
  EXPECT_EQ(refused.exit_status, 65) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("trigger quiet"));
  // The good backup goes in its place.
  ASSERT_EQ(with_config({"restore", path("good.backup")}).exit_status, 0);
  gantry.start();
  EXPECT_EQ(aggregates(), 1U);
}

TEST_F(HostileStore, ADocumentIsRefusedByTheCheckByTheRestoreAndByAStartInTheSameWords) {
  EXPECT_EQ(gantry.stop(), 0);
  const std::string claim =
      R"('{"consumer":"c","topic":"compute","host":"h","node":"","items":[{"resource":"vcpus","amount":)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"UPDATE tokens SET key = 'another'", "stored token 'another': its document is that of"},
      {"INSERT INTO claims VALUES ('c/compute/h/', " + claim + "-1e308}]}')", "expected number from 0 to 1e18"},
      {"INSERT INTO claims VALUES ('c/compute/h/', " + claim + "1e308}]}')", "expected number from 0 to 1e18"},
      {R"(INSERT INTO aggregates VALUES ('9223372036854775807', '{"id":9223372036854775807}'))",
       "aggregate: member 'id'"},
      {"INSERT INTO instances VALUES ('a\x1b[2J\nb', 'x')", "stored instance 'a\\x1b[2J\\x0ab'"},
      {"INSERT INTO casts VALUES ('c', '{}')", "stored cast 'c'"},
      {"INSERT INTO idempotency_keys VALUES ('k', '[]')", "stored answer 'k'"},
      {"INSERT INTO heartbeats VALUES ('h', 'x')", "stored heartbeat 'h'"},
      {"UPDATE meta SET value = 9223372036854775806 WHERE key = 'commits'", "found '9223372036854775806'"},
  };
  const auto untouched = path("untouched.db");
  std::filesystem::copy_file(gantry.store_path(), untouched);
  for (const auto& [sql, words] : cases) {
    const auto file = changed_backup(sql);
    for (const auto& verb : {std::vector<std::string>{"restore", "--check", file}, {"restore", file}}) {
      const auto ran = with_config(verb);
      EXPECT_NE(ran.exit_status, 0) << sql;
      EXPECT_THAT(ran.err, AllOf(HasSubstr(words), HasSubstr(file)));
      expect_no_escapes(ran.err);
    }
    run_sql(gantry.store_path(), sql);
    const auto refused = gantry.start_refused();
    EXPECT_NE(refused.exit_status, 0) << sql;
    EXPECT_THAT(refused.err, HasSubstr(words));
    expect_no_escapes(refused.err);
    std::filesystem::copy_file(untouched, gantry.store_path(), std::filesystem::copy_options::overwrite_existing);
  }
  gantry.start();
  EXPECT_EQ(aggregates(), 1U);
}

TEST_F(HostileStore, OnAFreshMachineARestoreMakesTheDirectoryOfTheStore) {
  EXPECT_EQ(gantry.stop(), 0);
  const auto fresh = gantry.directory() / "fresh";
  std::ofstream(gantry.config_file()) << "scheduler_driver = \"simple\"\ndriver_directories = [\""
                                      << gantry.drivers().string() << "\"]\nserver.socket = \"" << gantry.socket_path()
                                      << "\"\nstore.path = \"" << (fresh / "gantry.db").string() << "\"\n";
  const auto restored = with_config({"restore", path("good.backup")});
  ASSERT_EQ(restored.exit_status, 0) << restored.err;
  gantry.start();
  EXPECT_EQ(aggregates(), 1U);
}

TEST_F(HostileStore, WithoutItsLockFileAGantrydRefusesChangesAndSaysSo) {
  std::filesystem::remove(gantry.store_path() + ".lock");
  const auto refused = gantry.gantry({"--timeout", "2", "aggregate", "create", "rack2"});
  EXPECT_NE(refused.exit_status, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(gantry.store_path() + ".lock"), HasSubstr("removed")));
  EXPECT_EQ(aggregates(), 1U);
  EXPECT_THAT(gantry.log(), HasSubstr(gantry.store_path() + ".lock"));
  gantry.stop();
  gantry.start();
  EXPECT_EQ(gantry.gantry({"aggregate", "create", "rack2"}).exit_status, 0);
}

TEST_F(HostileStore, OfTwoGantrydsOnOneStoreNoMoreThanOneChangesIt) {
  std::filesystem::remove(gantry.store_path() + ".lock");
  RunningGantry second;
  std::ofstream(second.config_file()) << "scheduler_driver = \"simple\"\ndriver_directories = [\""
                                      << gantry.drivers().string() << "\"]\nserver.socket = \"" << second.socket_path()
                                      << "\"\nstore.path = \"" << gantry.store_path() << "\"\n"
                                      << "decisions.keep = 0\n";
  second.start();
  EXPECT_EQ(second.gantry({"aggregate", "create", "of-the-second"}).exit_status, 0);
  EXPECT_NE(gantry.gantry({"--timeout", "2", "aggregate", "create", "of-the-first"}).exit_status, 0);
  EXPECT_EQ(second.gantry({"aggregate", "create", "again"}).exit_status, 0);
  EXPECT_EQ(second.list({"aggregate", "list"}).size(), 3U);
}

TEST_F(HostileStore, TheDirectoryOfTheArchiveIsJudgedAsThatOfTheStore) {
  // A list waits until the archive has been opened.
  EXPECT_TRUE(gantry.list({"decision", "list"}).empty());
  EXPECT_EQ(gantry.stop(), 0);
  std::filesystem::permissions(gantry.directory() / "decisions", std::filesystem::perms::all);
  const auto refused = gantry.start_refused();
  EXPECT_EQ(refused.exit_status, 77) << refused.err;
  EXPECT_THAT(refused.err, AllOf(HasSubstr("the archive of decisions"), HasSubstr("found mode 0777")));
}

TEST_F(HostileStore, ADiskThatWasFullBeforeTheFirstDecisionIsUsedOnceItHasRoom) {
  EXPECT_EQ(gantry.stop(), 0);
  const auto small = gantry.directory() / "small";
  std::filesystem::create_directory(small);
  if (mount("tmpfs", small.c_str(), "tmpfs", 0, "size=512k,mode=0700") != 0) GTEST_SKIP() << "needs root to mount";
  gantry.configure("\"simple\"", "decisions.directory = \"" + (small / "decisions").string() + "\"\n");
  gantry.start();
  EXPECT_TRUE(gantry.list({"decision", "list"}).empty());
  const auto filler = small / "filler";
  {
    std::ofstream out(filler);
    while (out << std::string(4096, 'f') << std::flush) {
    }
  }
  // A list waits until each decision before it was written, or was lost.
  for (const char* const name : {"one", "two", "three"}) {
    gantry.gantry({"server", "create", "--no-wait", name});
    EXPECT_TRUE(gantry.list({"decision", "list"}).empty());
  }
  EXPECT_THAT(gantry.log(), AllOf(HasSubstr("decisions are not recorded"), Not(HasSubstr("recorded again"))));
  std::filesystem::remove(filler);
  gantry.gantry({"server", "create", "--no-wait", "four"});
  EXPECT_EQ(gantry.list({"decision", "list"}).size(), 1U);
  EXPECT_TRUE(eventually([this] { return gantry.log().find("decisions are recorded again") != std::string::npos; }));
  gantry.stop();
  umount2(small.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace gantry::test
