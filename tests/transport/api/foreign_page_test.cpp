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

}  // namespace
}  // namespace gantry::testing
