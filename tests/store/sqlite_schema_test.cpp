// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_schema.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <vector>

#include "store_fixture.hpp"
#include "tests/store/old_store.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SqliteSchema : public StoreTest {
 protected:
  Connection connected() const {
    auto connection = Connection::open(settings_.path);
    EXPECT_TRUE(connection) << connection.error().message;
    return *std::move(connection);
  }
  Result<int> migrated(const std::vector<MigrationStep>& steps) const {
    auto connection = connected();
    return migrate(connection, steps, *telemetry::Logger::none());
  }
  std::int64_t asked(const std::string& sql) const {
    auto connection = connected();
    const auto answer = connection.ask(sql);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : -1;
  }
  std::vector<MigrationStep> with(std::vector<MigrationStep> more) const {
    std::vector<MigrationStep> steps(schema_steps().begin(), schema_steps().end());
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
  }
  // A store of today's schema with one document.
  void make_store() { EXPECT_TRUE(committed(*opened(), put("a", "{}"))); }
};

TEST_F(SqliteSchema, ANewStoreIsMarkedAsOurs) {
  opened();
  EXPECT_EQ(asked("PRAGMA application_id"), 0x47614e74);
  EXPECT_EQ(asked("PRAGMA user_version"), 4);
}

TEST_F(SqliteSchema, ANewerStoreIsRefusedWithBothNumbersAndLeftAlone) {
  make_store();
  run_sql("PRAGMA user_version=7");
  const std::string before = bytes_of(settings_.path);
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::failed_precondition);
  EXPECT_THAT(error.message, AllOf(HasSubstr("expected schema 4 or older, found 7"), HasSubstr(settings_.path)));
  EXPECT_EQ(bytes_of(settings_.path), before);
}

TEST_F(SqliteSchema, AnOlderStoreIsCopiedThenMigratedStepByStep) {
  make_store();
  const auto schema = migrated(with({"ALTER TABLE services ADD COLUMN second TEXT", "UPDATE services SET second='x'"}));
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(*schema, 6);
  EXPECT_EQ(asked("PRAGMA user_version"), 6);
  EXPECT_EQ(asked("SELECT count(*) FROM services WHERE second='x'"), 1);
}

TEST_F(SqliteSchema, TheCopyIsAStoreOfTheOlderSchema) {
  make_store();
  ASSERT_TRUE(migrated(with({"DELETE FROM services"})));
  const std::string copy = settings_.path + ".v4.bak";
  struct stat status {};
  ASSERT_EQ(stat(copy.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_FALSE(std::filesystem::exists(copy + ".part"));
  settings_.path = copy;
  const auto store = opened();
  EXPECT_EQ(loaded(*store).size(), 1U);
}

// One document in each table.
std::string documents_of_schema_1() {
  std::string sql;
  for (std::uint8_t kind = 0; kind < static_cast<std::uint8_t>(Kind::token); ++kind) {
    const std::string table = table_of(static_cast<Kind>(kind));
    sql += "INSERT INTO " + table + " VALUES ('k', '{\"of\":\"" + table + "\"}');";
  }
  return sql;
}

TEST_F(SqliteSchema, AStoreOfSchema1OpensWithEverythingInItAndRoomForTokens) {
  test::make_schema_1(settings_.path, documents_of_schema_1());
  {
    const auto store = opened();
    ASSERT_TRUE(store);
    EXPECT_THAT(store->describe(), HasSubstr("schema 4"));
    for (std::uint8_t kind = 0; kind < static_cast<std::uint8_t>(Kind::token); ++kind) {
      const std::string document = std::string(R"({"of":")") + table_of(static_cast<Kind>(kind)) + R"("})";
      EXPECT_THAT(loaded(*store, static_cast<Kind>(kind)), testing::ElementsAre(testing::Pair("k", document)));
    }
    EXPECT_TRUE(loaded(*store, Kind::token).empty());
    EXPECT_TRUE(committed(*store, put("t", "{}", Kind::token)));
  }
  EXPECT_EQ(loaded(*opened(), Kind::token).size(), 1U);
  settings_.path += ".v1.bak";
  EXPECT_EQ(asked("PRAGMA user_version"), 1);
  EXPECT_EQ(asked("SELECT count(*) FROM idempotency_keys"), 1);
  struct stat status {};
  ASSERT_EQ(stat(settings_.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
}

TEST_F(SqliteSchema, AStoreOfAnOlderSchemaCountsItsCommitsFromTheMigrationOn) {
  test::make_schema_1(settings_.path, documents_of_schema_1());
  write_bytes(settings_.path + ".lock", "4711\n");  // as gantry wrote it then
  {
    const auto store = opened();
    ASSERT_TRUE(store);
    EXPECT_TRUE(committed(*store, put("a", "{}")));
    EXPECT_TRUE(committed(*store, put("b", "{}")));
  }
  EXPECT_EQ(asked("SELECT value FROM meta WHERE key = 'commits'"), 2);
}

TEST_F(SqliteSchema, AStepThatFailsLeavesTheSchemaBeforeIt) {
  make_store();
  const auto schema =
      migrated(with({"CREATE TABLE fine (x)", "CREATE TABLE half (x); SELECT no_such_column FROM half"}));
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, AllOf(HasSubstr("migrating to schema 6"), HasSubstr("no_such_column")));
  EXPECT_EQ(asked("PRAGMA user_version"), 5);
  EXPECT_EQ(asked("SELECT count(*) FROM sqlite_schema WHERE name='half'"), 0);
  EXPECT_EQ(asked("SELECT count(*) FROM services"), 1);
}

TEST_F(SqliteSchema, NothingIsCopiedWhenNothingIsMigrated) {
  make_store();
  make_store();
  EXPECT_FALSE(std::filesystem::exists(settings_.path + ".v4.bak"));
  EXPECT_FALSE(std::filesystem::exists(settings_.path + ".v0.bak"));
}

TEST_F(SqliteSchema, AStoreWhoseCreationWasInterruptedIsMadeAgain) {
  run_sql("PRAGMA journal_mode=WAL; CREATE TABLE x (y); DROP TABLE x");
  EXPECT_TRUE(opened());
}

TEST_F(SqliteSchema, WithoutACopyNothingIsMigrated) {
  make_store();
  std::filesystem::create_directory(settings_.path + ".v4.bak");
  const auto schema = migrated(with({"DELETE FROM services"}));
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, AllOf(HasSubstr("before migrating"), HasSubstr(".v4.bak")));
  EXPECT_EQ(asked("SELECT count(*) FROM services"), 1);
}

}  // namespace
}  // namespace gantry::store
