// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/store/old_store.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;

class UpgradeCheck : public ::testing::Test {
 protected:
  Ran checked() const { return gantry.gantry({"--config", gantry.config_file(), "-o", "json", "upgrade", "check"}); }
  static std::string status_of(const Ran& ran, const std::string& check) {
    const auto answer = ran.json();
    for (const auto& finding : answer.at("checks").as_array())
      if (finding.at("check").as_string() == check) return std::string(finding.at("status").as_string());
    return "";
  }
  RunningGantry gantry;
};

TEST_F(UpgradeCheck, EndsWith0WhereAllIsWell) {
  gantry.configure("\"simple\"");
  gantry.start();
  std::ofstream(gantry.directory() / "decisions" / "facts-000000000009.db");  // as if it were being made
  const auto ran = checked();
  EXPECT_EQ(ran.exit_status, 0) << ran.out << ran.err;
  for (const char* const check :
       {"configuration", "driver simple", "files and directories", "store", "disk", "decisions", "daemon"})
    EXPECT_EQ(status_of(ran, check), "success") << check;
}

TEST_F(UpgradeCheck, EndsWith1WhereSomethingAsksForAttention) {
  gantry.configure("[\"simple\", \"gone\"]", "[driver.gone]\nrequired = false\n");
  const auto ran = checked();
  EXPECT_EQ(ran.exit_status, 1) << ran.out << ran.err;
  EXPECT_EQ(status_of(ran, "driver gone"), "warning");
}

TEST_F(UpgradeCheck, EndsWith2WhereAStartWouldFail) {
  gantry.configure("\"simple\"", "[server]\nno_such_key = 1\n");
  const auto unknown = checked();
  EXPECT_EQ(unknown.exit_status, 2) << unknown.out << unknown.err;
  EXPECT_EQ(status_of(unknown, "configuration"), "failure");
  gantry.configure("\"simple\"", "[driver.simple]\nsha256 = \"" + std::string(64, '0') + "\"\n");
  const auto unpinned = checked();
  EXPECT_EQ(unpinned.exit_status, 2);
  EXPECT_EQ(status_of(unpinned, "drivers"), "failure");
  gantry.configure("\"simple\"");
  std::ofstream(gantry.store_path()) << "not a store";
  const auto foreign = checked();
  EXPECT_EQ(foreign.exit_status, 2);
  EXPECT_EQ(status_of(foreign, "store"), "failure");
}

class UpgradeOfAnOlderStore : public UpgradeCheck {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"");
    make_schema_1(gantry.store_path(),
                  R"(INSERT INTO aggregates VALUES ('1', '{"id":1,"uuid":"b8f417b2-9e66-424f-9364-6e0b0019ea21",)"
                  R"("name":"rack1","metadata":{},"hosts":[]}'))");
  }
  std::string file() const { return (gantry.directory() / "old.backup").string(); }
  Ran with_config(std::vector<std::string> words) const {
    words.insert(words.end(), {"--config", gantry.config_file()});
    return gantry.gantry(words);
  }
  void expect_rack1() const { EXPECT_EQ(gantry.list({"aggregate", "list"}).at(0).at("name"), "rack1"); }
};

TEST_F(UpgradeOfAnOlderStore, IsToldBeforeAndDoneByTheStartWhichKeepsACopy) {
  const auto before = checked();
  EXPECT_EQ(before.exit_status, 1) << before.out;
  EXPECT_EQ(status_of(before, "store"), "warning");
  EXPECT_THAT(before.out, HasSubstr("schema 1 is migrated to"));
  gantry.start();
  expect_rack1();
  EXPECT_TRUE(std::filesystem::exists(gantry.store_path() + ".v1.bak"));
  EXPECT_EQ(status_of(checked(), "store"), "success");
}

TEST_F(UpgradeOfAnOlderStore, IsUndoneByABackupOfBefore) {
  const auto written = with_config({"backup", file()});
  EXPECT_EQ(written.exit_status, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("schema 1"));
  gantry.start();
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "since"}).exit_status, 0);
  ASSERT_EQ(gantry.stop(), 0);
  for (const auto& older : {file(), gantry.store_path() + ".v1.bak"}) {
    const auto restored = with_config({"restore", older});
    EXPECT_EQ(restored.exit_status, 0) << restored.err;
    gantry.start();
    expect_rack1();
    EXPECT_EQ(gantry.list({"aggregate", "list"}).size(), 1U);
    EXPECT_EQ(gantry.stop(), 0);
  }
}

TEST_F(UpgradeOfAnOlderStore, IsNotDoneWithAStoreOfANewerGantry) {
  gantry.start();
  ASSERT_EQ(gantry.stop(), 0);
  ASSERT_EQ(with_config({"backup", file()}).exit_status, 0);
  for (const auto& newer : {file(), gantry.store_path()}) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(newer.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, "PRAGMA user_version=99", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
  }
  const auto found = checked();
  EXPECT_EQ(found.exit_status, 2);
  EXPECT_EQ(status_of(found, "store"), "failure");
  const auto refused = with_config({"restore", file()});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr("found 99, of a newer gantry"));
  EXPECT_EQ(gantry.start_refused().exit_status, 65);
}

}  // namespace
}  // namespace gantry::test
