// SPDX-License-Identifier: Apache-2.0
//
// A backup, or a store, that somebody has given more than Gantry puts into it: a file is data, and nothing in it acts.
#include <sys/stat.h>

#include <utility>
#include <vector>

#include "core/store/sqlite_restore.hpp"
#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* table_tokens = "CREATE TABLE tokens (key TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT";

// A change to the file, and the words of the refusal.
struct Attack {
  const char* name;
  std::string sql;
  std::string named;
};

void PrintTo(const Attack& attack, std::ostream* out) {
  *out << attack.name;
}

class HostileBackup : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    {
      const auto store = opened();
      ASSERT_TRUE(committed(*store, put("t", "{}", Kind::token)));
      BackupSettings wish;
      wish.store_path = settings_.path;
      wish.file = wish_.file = (directory_ / "there.backup").string();
      ASSERT_TRUE(write_backup(wish));
    }
    wish_.store_path = settings_.path;
    wish_.revise = [](const ReadDocuments&, const ReadDocuments*) -> Result<Batch> { return Batch(); };
  }

  void run_sql_on(const std::string& path, const std::string& sql) {
    const std::string store = std::exchange(settings_.path, path);
    run_sql(sql);
    settings_.path = store;
  }

  void expect_refused_everywhere(const std::string& named) {
    const auto untouched = bytes_of(settings_.path);
    const auto words = AllOf(HasSubstr(wish_.file), HasSubstr(named), HasSubstr("expected"), HasSubstr("found"));
    const auto examined = examine_backup(wish_.file);
    ASSERT_FALSE(examined);
    EXPECT_THAT(examined.error().message, words);
    const auto judged = judge_restore(wish_);
    ASSERT_FALSE(judged);
    EXPECT_THAT(judged.error().message, words);
    const auto restored = restore(wish_);
    ASSERT_FALSE(restored);
    EXPECT_THAT(restored.error().message, words);
    EXPECT_EQ(bytes_of(settings_.path), untouched);
  }

  RestoreSettings wish_;
};

class ForeignSchema : public HostileBackup, public testing::WithParamInterface<Attack> {};

TEST_P(ForeignSchema, IsRefusedByTheNameOfWhatIsForeign) {
  run_sql_on(wish_.file, GetParam().sql);
  expect_refused_everywhere(GetParam().named);
}

TEST_P(ForeignSchema, AStoreLikeItIsRefusedByAStartAndByTheCheckOfAnUpgrade) {
  run_sql(GetParam().sql);
  const auto untouched = bytes_of(settings_.path);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr(settings_.path), HasSubstr(GetParam().named)));
  const auto examined = examine_store(settings_.path);
  ASSERT_FALSE(examined);
  EXPECT_THAT(examined.error().message, HasSubstr(GetParam().named));
  EXPECT_EQ(bytes_of(settings_.path), untouched);
}

TEST_P(ForeignSchema, AStoreLikeItTellsARestoreNothing) {
  run_sql(GetParam().sql);
  const auto restored = restore(wish_);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_THAT(restored->why_unknown, HasSubstr(GetParam().named));
  EXPECT_EQ(loaded(*opened(), Kind::token).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Attacks, ForeignSchema,
    testing::Values(
        Attack{"Trigger",
               "CREATE TRIGGER quiet AFTER UPDATE ON meta BEGIN INSERT INTO tokens VALUES ('mine', '{}'); END",
               "trigger quiet' on 'meta'"},
        Attack{"TriggerThatFails", "CREATE TRIGGER loud BEFORE INSERT ON claims BEGIN SELECT raise(ABORT, 'no'); END",
               "trigger loud' on 'claims'"},
        Attack{"View", "DROP TABLE instances; CREATE VIEW instances AS SELECT 'a' AS key, '{}' AS document",
               "view instances"},
        Attack{"VirtualTable", "DROP TABLE claims; CREATE VIRTUAL TABLE claims USING fts5(key, document)",
               "table claims"},
        Attack{"GeneratedColumn", "ALTER TABLE casts ADD COLUMN more TEXT GENERATED ALWAYS AS (upper(key)) VIRTUAL",
               "table casts"},
        Attack{"ExpressionIndex", "CREATE INDEX quick ON services (abs(length(document)))",
               "index quick' on 'services'"},
        Attack{"FurtherTable", "CREATE TABLE further (a)", "table further"},
        Attack{"MissingTable", "DROP TABLE heartbeats", "heartbeats"},
        Attack{"LooseTable", "DROP TABLE tokens; CREATE TABLE tokens (key TEXT, document TEXT)", table_tokens},
        Attack{"EscapeInAName", "CREATE TABLE \"a\x1b[2Jb\n\" (a)", "table a\\x1b[2Jb\\x0a"},
        Attack{"LastCommit", "UPDATE meta SET value = 9223372036854775806 WHERE key = 'commits'",
               "9223372036854775806"},
        Attack{"NegativeCommits", "UPDATE meta SET value = -1 WHERE key = 'commits'", "'commits'"},
        Attack{"NoCommits", "DELETE FROM meta WHERE key = 'commits'", "'commits'"},
        Attack{"NegativeTime", "INSERT OR REPLACE INTO meta VALUES ('restored_at', -9223372036854775807)",
               "'restored_at'"}),
    [](const auto& each) { return each.param.name; });

TEST_F(HostileBackup, NoPageOfItComesAlong) {
  // SQLite keeps what was removed in pages that are free.
  const std::string left_behind(20'000, 'Z');
  run_sql_on(wish_.file, "PRAGMA secure_delete=OFF; INSERT INTO casts VALUES ('c', '" + left_behind +
                             "'); DELETE FROM casts WHERE key = 'c'");
  ASSERT_THAT(bytes_of(wish_.file), HasSubstr(std::string(1000, 'Z')));
  const auto done = restore(wish_);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(bytes_of(settings_.path), testing::Not(HasSubstr(std::string(1000, 'Z'))));
  EXPECT_EQ(loaded(*opened(), Kind::token).size(), 1U);
}

TEST_F(HostileBackup, ADocumentThatAStartWouldRefuseIsRefusedWithItsKey) {
  run_sql_on(wish_.file, "INSERT INTO tokens VALUES ('other', '{\"id\":\"t\"}')");
  wish_.judge = [](Kind kind, std::string_view key, std::string_view text) -> Result<void> {
    if (kind != Kind::token || text == "{}") return {};
    return Error{ErrorCode::internal, "stored token '" + std::string(key) + "': its document is that of 't'", {}};
  };
  const auto untouched = bytes_of(settings_.path);
  const auto words = AllOf(HasSubstr(wish_.file), HasSubstr("token 'other'"));
  EXPECT_THAT(judge_restore(wish_).error().message, words);
  EXPECT_THAT(restore(wish_).error().message, words);
  EXPECT_EQ(bytes_of(settings_.path), untouched);
}

TEST_F(HostileBackup, ADocumentOfTheRevisionIsJudgedAsWell) {
  wish_.revise = [](const ReadDocuments&, const ReadDocuments*) -> Result<Batch> {
    return Batch{{Kind::token, "present", "bad"}};
  };
  wish_.judge = [](Kind, std::string_view key, std::string_view text) -> Result<void> {
    return text == "bad" ? Result<void>(Error{ErrorCode::internal, "no token " + std::string(key), {}})
                         : Result<void>();
  };
  EXPECT_THAT(judge_restore(wish_).error().message, HasSubstr("no token present"));
  EXPECT_THAT(restore(wish_).error().message, HasSubstr("no token present"));
}

TEST_F(HostileBackup, ItsCountOfCommitsDoesNotCountOn) {
  run_sql_on(wish_.file, "UPDATE meta SET value = 4611686018427387904 WHERE key = 'commits'");
  ASSERT_TRUE(restore(wish_));
  {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("a", "1")));
  }
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(HostileBackup, OneOfAnotherEncodingIsRefused) {
  std::filesystem::remove(wish_.file);
  run_sql_on(wish_.file,
             "PRAGMA encoding='UTF-16le'; CREATE TABLE a (b); PRAGMA application_id=1197559412;"
             "PRAGMA user_version=4");
  EXPECT_THAT(judge_restore(wish_).error().message, HasSubstr("expected encoding UTF-8"));
}

// The row of the index stands under a key that the table does not have.
TEST_F(HostileBackup, AnIndexThatSaysOtherThanItsTableIsRefused) {
  auto bytes = bytes_of(wish_.file);
  std::vector<std::size_t> places;
  run_sql_on(wish_.file, "INSERT INTO tokens VALUES ('a-key-to-be-found', '{}')");
  bytes = bytes_of(wish_.file);
  for (auto at = bytes.find("a-key-to-be-found"); at != std::string::npos; at = bytes.find("a-key-to-be-found", at + 1))
    places.push_back(at);
  ASSERT_EQ(places.size(), 2U);
  bytes[places[1]] = 'b';
  write_bytes(wish_.file, bytes);
  EXPECT_FALSE(judge_restore(wish_));
  EXPECT_FALSE(restore(wish_));
}

TEST_F(HostileBackup, OnAFreshMachineTheDirectoryIsMadeAsAStartMakesIt) {
  wish_.store_path = (directory_ / "fresh" / "gantry.db").string();
  const auto done = restore(wish_);
  ASSERT_TRUE(done) << done.error().message;
  struct stat status {};
  ASSERT_EQ(stat((directory_ / "fresh").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0027U, 0U);
  settings_.path = wish_.store_path;
  EXPECT_EQ(loaded(*opened(), Kind::token).size(), 1U);
}

}  // namespace
}  // namespace gantry::store
