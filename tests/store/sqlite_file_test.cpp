// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SqliteFile : public StoreTest {
 protected:
  static unsigned mode_of(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777U;
  }
};

// The tests may run as root, whom no mode stops.
class AsNobody {
 public:
  AsNobody() : was_root_(geteuid() == 0) {
    if (was_root_) {
      EXPECT_EQ(seteuid(65534), 0);
    }
  }
  ~AsNobody() {
    if (was_root_) {
      EXPECT_EQ(seteuid(0), 0);
    }
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool was_root_;
};

TEST_F(SqliteFile, IsReadAndWrittenByItsOwnerOnly) {
  const mode_t before = umask(0);
  const auto store = opened();
  umask(before);
  EXPECT_TRUE(committed(*store, put("a", "{}")));
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) EXPECT_EQ(mode_of(settings_.path + suffix), 0600U) << suffix;
}

TEST_F(SqliteFile, AFileOpenToOthersIsClosedToThem) {
  opened();
  ASSERT_EQ(chmod(settings_.path.c_str(), 0664), 0);
  const auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "{}")));
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode_of(settings_.path + suffix), 0600U) << suffix;
}

TEST_F(SqliteFile, ItsDirectoryIsMadeIfOnlyThatOneIsMissing) {
  settings_.path = (directory_ / "gantry" / "gantry.db").string();
  ASSERT_TRUE(opened());
  EXPECT_EQ(mode_of(directory_ / "gantry") & ~0750U, 0U);
}

TEST_F(SqliteFile, AMissingDirectoryIsNamedIfItCannotBeMade) {
  settings_.path = (directory_ / "no" / "such" / "gantry.db").string();
  EXPECT_THAT(refusal().message,
              AllOf(HasSubstr((directory_ / "no" / "such").string()), HasSubstr("make it, owned by")));
}

TEST_F(SqliteFile, ADirectoryThatMayNotBeWrittenIsNamed) {
  ASSERT_EQ(chmod(directory_.c_str(), 0555), 0);
  const AsNobody nobody;
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::permission_denied);
  EXPECT_THAT(error.message, AllOf(HasSubstr(settings_.path), HasSubstr("Permission denied")));
  EXPECT_EQ(check_sqlite_place(settings_.path).error().code, ErrorCode::permission_denied);
}

TEST_F(SqliteFile, ACheckMakesNothing) {
  settings_.path = (directory_ / "gantry" / "gantry.db").string();
  EXPECT_TRUE(check_sqlite_place(settings_.path));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "gantry"));
  settings_.path = (directory_ / "no" / "such" / "gantry.db").string();
  EXPECT_THAT(check_sqlite_place(settings_.path).error().message, HasSubstr((directory_ / "no").string()));
}

TEST_F(SqliteFile, ADirectoryForEverybodyIsRefusedWithoutAdviceThatBreaksTheMachine) {
  ASSERT_EQ(chmod(directory_.c_str(), 01777), 0);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("install -d -m 0700"), testing::Not(HasSubstr("chmod"))));
}

TEST_F(SqliteFile, IsOpenOnce) {
  const auto store = opened();
  EXPECT_THAT(refusal().message, HasSubstr("already used by process " + std::to_string(getpid())));
}

TEST_F(SqliteFile, IsFreeAgainOnceClosed) {
  opened();
  EXPECT_TRUE(opened());
}

TEST_F(SqliteFile, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
  const std::string bytes(5000, 'x');
  write_bytes(settings_.path, bytes);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr(settings_.path), HasSubstr("expected an SQLite database, found")));
  EXPECT_EQ(bytes_of(settings_.path), bytes);
}

TEST_F(SqliteFile, ADatabaseOfAnotherProgramIsRefusedAndLeftAlone) {
  run_sql("PRAGMA application_id=1234; CREATE TABLE theirs (x)");
  const std::string before = bytes_of(settings_.path);
  EXPECT_THAT(refusal().message, HasSubstr("expected application id 0x47614e74, found 0x000004d2"));
  EXPECT_EQ(bytes_of(settings_.path), before);
}

TEST_F(SqliteFile, ADatabaseWithoutAnApplicationIdIsRefusedIfItHoldsTables) {
  run_sql("CREATE TABLE theirs (x)");
  const std::string before = bytes_of(settings_.path);
  ASSERT_EQ(chmod(settings_.path.c_str(), 0664), 0);
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::failed_precondition);
  EXPECT_THAT(error.message, HasSubstr("not a Gantry store"));
  EXPECT_EQ(bytes_of(settings_.path), before);
  EXPECT_EQ(mode_of(settings_.path), 0664U);
}

TEST_F(SqliteFile, ARefusedDatabaseKeepsWhatItsOwnerHadNotYetCheckpointed) {
  sqlite3* theirs = nullptr;
  ASSERT_EQ(sqlite3_open(settings_.path.c_str(), &theirs), SQLITE_OK);
  sqlite3_db_config(theirs, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_exec(theirs, "PRAGMA journal_mode=WAL; CREATE TABLE theirs (x)", nullptr, nullptr, nullptr);
  sqlite3_close(theirs);
  const std::string database = bytes_of(settings_.path);
  const std::string log = bytes_of(settings_.path + "-wal");
  ASSERT_FALSE(log.empty());
  EXPECT_THAT(refusal().message, HasSubstr("not a Gantry store"));
  EXPECT_EQ(bytes_of(settings_.path), database);
  EXPECT_EQ(bytes_of(settings_.path + "-wal"), log);
}

TEST_F(SqliteFile, AnEmptyFileBecomesAStore) {
  write_bytes(settings_.path, "");
  EXPECT_TRUE(opened());
}

TEST_F(SqliteFile, ADirectoryInItsPlaceIsRefused) {
  std::filesystem::create_directory(settings_.path);
  EXPECT_THAT(refusal().message, HasSubstr(settings_.path));
}

TEST_F(SqliteFile, DamageIsNamedAndTheFileLeftAlone) {
  {
    const auto store = opened();
    for (int i = 0; i < 500; ++i) store->submit(put("key " + std::to_string(i), std::string(200, 'd')), nullptr);
  }
  std::string bytes = bytes_of(settings_.path);
  ASSERT_GT(bytes.size(), 40'000U);
  for (std::size_t at = 8192; at < 40'000; ++at) bytes[at] = '\x5a';
  write_bytes(settings_.path, bytes);
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::failed_precondition);
  EXPECT_THAT(error.message, AllOf(HasSubstr(settings_.path + ": damaged: "), HasSubstr("put a copy in its place"),
                                   HasSubstr("sqlite3 " + settings_.path + " .recover")));
  EXPECT_THAT(error.message, AllOf(testing::ContainsRegex("[Pp]age [0-9]+"), testing::Not(HasSubstr("***")),
                                   testing::Not(HasSubstr("\n"))))
      << "SQLite's own findings, on one line";
  EXPECT_EQ(bytes_of(settings_.path), bytes);
}

TEST_F(SqliteFile, AFileCutShortIsDamaged) {
  {
    const auto store = opened();
    for (int i = 0; i < 500; ++i) store->submit(put("key " + std::to_string(i), std::string(200, 'd')), nullptr);
  }
  std::filesystem::resize_file(settings_.path, std::filesystem::file_size(settings_.path) / 2);
  const std::string before = bytes_of(settings_.path);
  EXPECT_THAT(refusal().message, HasSubstr("damaged"));
  EXPECT_EQ(bytes_of(settings_.path), before);
}

TEST_F(SqliteFile, WipesRemovedDocumentsFromTheDatabase) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("1", R"({"admin_password":"correct horse"})", Kind::cast)));
    EXPECT_TRUE(committed(*store, removal("1", Kind::cast)));
  }
  EXPECT_EQ(bytes_of(settings_.path).find("correct horse"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(settings_.path + "-wal"));
}

}  // namespace
}  // namespace gantry::store
