// SPDX-License-Identifier: Apache-2.0
//
// A store of schema 1 brought up to date, with each operation on files failing once: it is of either schema afterwards,
// with everything in it, and the copy is whole if it is there.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/store/sqlite_connection.hpp"
#include "fault_file_system.hpp"
#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using fault::FaultFileSystem;
using fault::Form;
using testing::AnyOf;
using testing::HasSubstr;

constexpr int filled_documents = 40;

class MigrationFault : public StoreTest, public testing::WithParamInterface<std::tuple<Form, bool>> {
 protected:
  void TearDown() override {
    FaultFileSystem::installed().disarm();
    StoreTest::TearDown();
  }
  void make_schema_1() const {
    std::string sql = "PRAGMA journal_mode=WAL; BEGIN;";
    for (const char* table : {"services", "compute_nodes", "capabilities", "aggregates", "server_groups", "instances",
                              "claims", "casts", "idempotency_keys"}) {
      sql += std::string("CREATE TABLE ") + table + " (key TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;";
    }
    for (int i = 0; i < filled_documents; ++i)
      sql += "INSERT INTO services VALUES ('" + std::to_string(i) + "', '" + std::string(1000, 'd') + "');";
    run_sql(sql + "PRAGMA application_id=1197559412; PRAGMA user_version=1; COMMIT");
  }
  void remove_files() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) std::filesystem::remove(entry.path());
  }
  std::int64_t asked(const std::string& path, const std::string& sql) const {
    auto connection = Connection::open(path);
    EXPECT_TRUE(connection) << connection.error().message;
    const auto answer = connection ? connection->ask(sql) : Result<std::int64_t>(-1);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : -1;
  }
  void expect_the_copy_whole() const {
    const auto copy = settings_.path + ".v1.bak";
    struct stat status {};
    ASSERT_EQ(stat(copy.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U);
    EXPECT_EQ(asked(copy, "PRAGMA user_version"), 1);
    EXPECT_EQ(asked(copy, "SELECT count(*) FROM services"), filled_documents);
    EXPECT_EQ(asked(copy, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
  }
};

TEST_P(MigrationFault, LeavesEitherSchemaAndTheNextStartFindsEverything) {
  auto& files = FaultFileSystem::installed();
  const auto [form, lasts] = GetParam();
  int runs = 0;
  for (std::uint64_t at = 1 + static_cast<std::uint64_t>(form); !HasFailure(); at += 3, ++runs) {
    remove_files();
    make_schema_1();
    files.arm({at, lasts, form});
    auto store = open_sqlite(settings_);
    if (!store) {
      EXPECT_THAT(store.error().message, HasSubstr(settings_.path));
      EXPECT_THAT(store.error().code, AnyOf(ErrorCode::unavailable, ErrorCode::resource_exhausted))
          << store.error().message;
      store = Error{};
    } else {
      *store = nullptr;
    }
    const bool struck = files.has_struck();
    files.disarm();
    EXPECT_THAT(asked(settings_.path, "PRAGMA user_version"), AnyOf(1, 2, 3, 4));
    EXPECT_EQ(asked(settings_.path, "SELECT count(*) FROM services"), filled_documents);
    if (asked(settings_.path, "PRAGMA user_version") > 1) expect_the_copy_whole();
    {
      const auto again = opened();
      ASSERT_TRUE(again);
      EXPECT_EQ(loaded(*again).size(), static_cast<std::size_t>(filled_documents));
      EXPECT_TRUE(committed(*again, put("t", "{}", Kind::token)));
    }
    expect_the_copy_whole();
    if (HasFailure()) ADD_FAILURE() << "with operation " << at << " failing: " << files.struck();
    if (!struck) break;
  }
  EXPECT_GT(runs, 10);
}

INSTANTIATE_TEST_SUITE_P(Forms, MigrationFault,
                         testing::Combine(testing::Values(Form::io_error, Form::disk_full, Form::short_write),
                                          testing::Bool()));

}  // namespace
}  // namespace gantry::store
