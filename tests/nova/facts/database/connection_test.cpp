// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database/connection.hpp"

#include <chrono>
#include <cmath>

#include "tests/nova/facts/server/deployment.hpp"

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DatabaseConnection : public Deployment {
 protected:
  static std::string text_of(Connection& connection, const std::string& sql) {
    std::string text;
    const auto done = connection.query(sql, [&text](Row row) { text = std::get<std::string_view>(row[0]); });
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return text;
  }

  static Error refusal_of(const std::string& url) {
    const auto parsed = parse_database_url(url);
    const auto opened = Connection::open(*parsed);
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error();
  }
};

TEST_F(DatabaseConnection, GivesValuesTheirTypes) {
  auto connection = open("nova_cell1");
  int rows = 0;
  const auto done = connection.query(
      "SELECT NULL, -7, CAST(1.1 AS FLOAT), 2.5e0, 'grün', CAST('2026-11-21 02:31:50' AS DATETIME), "
      "18446744073709551615, x'ff00'",
      [&rows](Row row) {
        ++rows;
        ASSERT_EQ(row.size(), 8U);
        EXPECT_EQ(row[0], Value());
        EXPECT_EQ(row[1], Value(std::int64_t{-7}));
        EXPECT_EQ(row[2], Value(1.1));
        EXPECT_EQ(row[3], Value(2.5));
        EXPECT_EQ(row[4], Value(std::string_view("grün")));
        EXPECT_EQ(row[5], Value(std::string_view("2026-11-21 02:31:50")));
        EXPECT_EQ(row[6], Value(std::string_view("18446744073709551615")));
        EXPECT_EQ(row[7], Value(std::string_view("\xff\0", 2)));
      });
  EXPECT_TRUE(done);
  EXPECT_EQ(rows, 1);
}

TEST_F(DatabaseConnection, OnlyReadsAndHasItsTimesInUtc) {
  auto connection = open("nova_cell1");
  EXPECT_EQ(text_of(connection, "SELECT @@session.time_zone"), "+00:00");
  EXPECT_EQ(text_of(connection, "SELECT @@session.tx_isolation"), "REPEATABLE-READ");
  const auto written = connection.query("DELETE FROM services");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, AllOf(HasSubstr("nova_cell1 at "), HasSubstr("READ ONLY")));
  EXPECT_TRUE(connection.is_open());
}

TEST_F(DatabaseConnection, SeesOneMomentInASnapshot) {
  auto connection = open("nova_cell1");
  std::string before, after;
  const auto done = connection.in_snapshot([&]() -> Result<void> {
    before = text_of(connection, "SELECT CONCAT(COUNT(*)) FROM services");
    add_service("h1");
    after = text_of(connection, "SELECT CONCAT(COUNT(*)) FROM services");
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(before, "0");
  EXPECT_EQ(after, "0");
  EXPECT_EQ(text_of(connection, "SELECT CONCAT(COUNT(*)) FROM services"), "1");
}

TEST_F(DatabaseConnection, QuotesText) {
  auto connection = open("nova_cell1");
  const std::string text = "it's \"a\" \\ \n name";
  EXPECT_EQ(text_of(connection, "SELECT " + connection.quoted(text)), text);
}

TEST_F(DatabaseConnection, SaysInTheServersWordsWhyItIsRefused) {
  run_in("mysql", "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame'");
  const auto wrong = refusal_of(MariaDb::server().url("nova_api", "gantry", "mustard"));
  EXPECT_EQ(wrong.code, ErrorCode::permission_denied);
  EXPECT_THAT(wrong.message, AllOf(HasSubstr("nova_api at "), HasSubstr("Access denied for user 'gantry'@'localhost'"),
                                   Not(HasSubstr("mustard"))));
  const auto lacking = refusal_of(MariaDb::server().url("nova_api", "gantry", "sesame"));
  EXPECT_EQ(lacking.code, ErrorCode::permission_denied);
  EXPECT_THAT(lacking.message,
              AllOf(HasSubstr("GRANT SELECT ON `nova_api`.* TO 'gantry'@'localhost'"), Not(HasSubstr("sesame"))));
  const auto unknown = refusal_of(MariaDb::server().url("nova_cell9"));
  EXPECT_EQ(unknown.code, ErrorCode::not_found);
  EXPECT_THAT(unknown.message, HasSubstr("Unknown database 'nova_cell9'"));
}

TEST_F(DatabaseConnection, IsUnavailableWhereNobodyListens) {
  EXPECT_EQ(refusal_of("mysql://u:sesame@127.0.0.1:1/nova").code, ErrorCode::unavailable);
  const auto absent = refusal_of("mysql://u:sesame@h/nova?unix_socket=/does/not/exist");
  EXPECT_EQ(absent.code, ErrorCode::unavailable);
  EXPECT_THAT(absent.message, AllOf(HasSubstr("nova at /does/not/exist"), Not(HasSubstr("sesame"))));
}

TEST_F(DatabaseConnection, IsEncryptedAndVerifiedWhereTheUrlNamesAnAuthority) {
  const auto url = MariaDb::server().url("nova_cell1");
  std::string cipher;
  const auto take = [&cipher](Row row) { cipher = std::get<std::string_view>(row[1]); };
  EXPECT_TRUE(open_url(url).query("SHOW STATUS LIKE 'Ssl_cipher'", take));
  EXPECT_EQ(cipher, "");
  EXPECT_TRUE(open_url(url + "&ssl_ca=" + MariaDb::server().authority()).query("SHOW STATUS LIKE 'Ssl_cipher'", take));
  EXPECT_NE(cipher, "");
  for (const auto* checks : {"true", "false"}) {
    const auto refused =
        refusal_of(url + "&ssl_ca=" + MariaDb::server().other_authority() + "&ssl_check_hostname=" + checks);
    EXPECT_THAT(refused.message, HasSubstr("TLS/SSL error")) << checks;
  }
}

TEST_F(DatabaseConnection, GivesUpOnAQueryThatHangs) {
  auto connection = open_url(MariaDb::server().url("nova_cell1"), {.read = std::chrono::seconds(1)});
  const auto began = std::chrono::steady_clock::now();
  const auto done = connection.query("SELECT SLEEP(100)");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::deadline_exceeded);
  EXPECT_THAT(done.error().message, HasSubstr("no answer within 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
  EXPECT_FALSE(connection.is_open());
  EXPECT_EQ(connection.query("SELECT 1").error().code, ErrorCode::unavailable);
}

TEST_F(DatabaseConnection, SaysThatItWasLost) {
  auto connection = open("nova_cell1");
  run_in("mysql", "KILL " + text_of(connection, "SELECT CONCAT(CONNECTION_ID())"));
  const auto done = connection.query("SELECT 1");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::unavailable);
  EXPECT_FALSE(connection.is_open());
}

TEST_F(DatabaseConnection, SaysThatItWasLostBetweenTwoRows) {
  auto connection = open("nova_cell1");
  const auto id = text_of(connection, "SELECT CONCAT(CONNECTION_ID())");
  int rows = 0;
  const auto done = connection.query("SELECT REPEAT('x', 1000000) FROM seq_1_to_1000", [&](Row) {
    if (++rows == 1) run_in("mysql", "KILL " + id);
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::unavailable);
  EXPECT_LT(rows, 1000);
}

TEST_F(DatabaseConnection, ReadsSixteenMegabytesAndRefusesARowBeyondTheBound) {
  auto connection = open("nova_cell1");
  EXPECT_EQ(text_of(connection, "SELECT REPEAT('x', 16777215)").size(), 16777215U);
  EXPECT_FALSE(connection.query("SELECT REPEAT('x', 80 * 1024 * 1024)"));
  EXPECT_FALSE(connection.is_open());
}

}  // namespace
}  // namespace gantry::nova
