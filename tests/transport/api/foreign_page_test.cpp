// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/foreign_page.hpp"

#include <gmock/gmock.h>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;

TEST(ForeignPage, IsNoneWhereNoPageAsksOrThatOfTheServiceItself) {
  EXPECT_FALSE(transport::is_from_foreign_page("", "anything"));
  for (const auto* host : {"127.0.0.1:8774", "[::1]:8774", "localhost:9000", "LOCALHOST", "127.0.0.2"})
    EXPECT_FALSE(transport::is_from_foreign_page(std::string("http://") + host, host)) << host;
}

TEST(ForeignPage, IsOneOfAnotherAddressPortOrName) {
  EXPECT_TRUE(transport::is_from_foreign_page("https://example.org", "127.0.0.1:8774"));
  EXPECT_TRUE(transport::is_from_foreign_page("http://127.0.0.1:9999", "127.0.0.1:8774"));
  EXPECT_TRUE(transport::is_from_foreign_page("null", "127.0.0.1:8774"));
  // Names whose owner lets them point to this machine.
  EXPECT_TRUE(transport::is_from_foreign_page("http://example.org:8774", "example.org:8774"));
  EXPECT_TRUE(transport::is_from_foreign_page("http://127.0.0.1.example.org", "127.0.0.1.example.org"));
}

class ForeignPages : public ServerTest {
 protected:
  ForeignPages() { start(); }
};

TEST_F(ForeignPages, MayNotCallWhereNoTokenIsRequired) {
  const auto refused =
      ask("POST /v1/schedule HTTP/1.1\r\nHost: 127.0.0.1:8774\r\nOrigin: https://example.org\r\n"
          "Content-Length: 0\r\n\r\n");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("'https://example.org' may not call without a token"));
  EXPECT_EQ(manager_.handled(), 0U);
}

TEST_F(ForeignPages, DoNotIncludeTheServicesOwn) {
  const auto answer =
      ask("POST /v1/status HTTP/1.1\r\nHost: 127.0.0.1:8774\r\nOrigin: http://127.0.0.1:8774\r\n"
          "Content-Length: 0\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
}

TEST(NameOfThisMachine, IsALoopbackAddressOrLocalhost) {
  for (const auto* host : {"127.0.0.1:8774", "127.0.0.1", "[::1]:8774", "localhost", "LocalHost:1", "127.255.0.9"})
    EXPECT_TRUE(transport::is_name_of_this_machine(host)) << host;
  for (const auto* host : {"", "evil.example", "evil.example:8774", "localhost.evil.example", "127.evil.example",
                           "127.0.0.1.evil.example", "[::2]", "[::1].evil.example", "0.0.0.0", "10.0.0.1"})
    EXPECT_FALSE(transport::is_name_of_this_machine(host)) << host;
}

// A page whose owner lets its own name point to this machine: its browser sends no origin with what it reads.
class ReboundPages : public ServerTest {
 protected:
  ReboundPages() {
    settings_.listen = {"127.0.0.1:0"};
    settings_.require_tokens = false;
  }
  RawAnswer ask_for(const std::string& host, const std::string& target, const std::string& fields = "") {
    const auto address = server_->addresses().at(0);
    auto connection = RawConnection::to_port(std::stoi(address.substr(address.rfind(':') + 1)));
    connection.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n");
    return connection.answer().value_or(RawAnswer{});
  }
};

TEST_F(ReboundPages, ReadNothingWhereNoTokenIsRequired) {
  start();
  for (const auto* target : {"/v1/status", "/metrics", "/", "/ui/"}) {
    const auto refused = ask_for("evil.example:8774", target);
    EXPECT_EQ(refused.status, 421) << target;
    EXPECT_THAT(error_of(refused, "message"), HasSubstr("expected a loopback address or localhost"));
    EXPECT_THAT(error_of(refused, "message"), HasSubstr("found 'evil.example:8774'"));
  }
  EXPECT_EQ(ask_for("", "/v1/status").status, 421);
  EXPECT_EQ(manager_.handled(), 0U);
  for (const auto* host : {"127.0.0.1:8774", "localhost", "[::1]:8774"})
    EXPECT_EQ(ask_for(host, "/v1/status").status, 200) << host;
}

TEST_F(ReboundPages, AreNoDangerWhereATokenIsRequired) {
  settings_.require_tokens = true;
  start();
  EXPECT_EQ(ask_for("gantry.example", "/v1/status").status, 401);
  EXPECT_EQ(ask_for("gantry.example", "/v1/status", "Authorization: Bearer good\r\n").status, 200);
  EXPECT_EQ(ask_for("gantry.example", "/livez").status, 200);
}

}  // namespace
}  // namespace gantry::testing
