// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/transport/page/page.hpp"
#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Page : public ServerTest {
 protected:
  Page() { start(); }

  RawAnswer head_of_answer(const std::string& request) const {
    RawConnection connection = connect();
    connection.send(request);
    return connection.answer(false).value_or(RawAnswer{});
  }
};

TEST_F(Page, IsServedBelowUi) {
  const auto answer = ask(get("/ui/"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_THAT(answer.body, StartsWith("<!doctype html>"));
  EXPECT_EQ(ask(get("/ui/index.html")).body, answer.body);
}

TEST_F(Page, ServesEachFileWithItsTypeAndNothingButItsOwnOriginInItsPolicy) {
  const std::map<std::string_view, std::string_view> types{{"html", "text/html; charset=utf-8"},
                                                           {"css", "text/css; charset=utf-8"},
                                                           {"js", "text/javascript; charset=utf-8"},
                                                           {"svg", "image/svg+xml"}};
  for (const auto& file : transport::page_files()) {
    const auto answer = ask(get("/ui/" + std::string(file.name)));
    EXPECT_EQ(answer.status, 200) << file.name;
    EXPECT_EQ(answer.body, file.content) << file.name;
    EXPECT_EQ(answer.headers.at("content-type"), types.at(file.name.substr(file.name.rfind('.') + 1))) << file.name;
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(answer.headers.at("referrer-policy"), "no-referrer");
    EXPECT_EQ(answer.headers.at("cache-control"), "no-cache");
    const auto policy = answer.headers.at("content-security-policy");
    EXPECT_THAT(policy, StartsWith("default-src 'none'; script-src 'self'; "));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  }
}

TEST_F(Page, IsAtMostThreeHundredKilobytes) {
  std::size_t bytes = 0;
  for (const auto& file : transport::page_files()) bytes += file.content.size();
  EXPECT_LE(bytes, 300'000U);
}

TEST_F(Page, LeadsFromUiToThePage) {
  const auto answer = ask(get("/ui"));
  EXPECT_EQ(answer.status, 308);
  EXPECT_EQ(answer.headers.at("location"), "ui/");
}

TEST_F(Page, SaysThatAFileHasNotChanged) {
  const auto first = ask(get("/ui/page.js"));
  const auto again = head_of_answer(get("/ui/page.js", "If-None-Match: " + first.headers.at("etag") + "\r\n"));
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.headers.at("etag"), first.headers.at("etag"));
  EXPECT_EQ(ask(get("/ui/page.js", "If-None-Match: \"another\"\r\n")).status, 200);
}

TEST_F(Page, AnswersHeadWithTheLengthAlone) {
  RawConnection connection = connect();
  connection.send("HEAD /ui/ HTTP/1.1\r\nHost: h\r\n\r\n" + get("/livez"));
  const auto head = connection.answer(false);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->headers.at("content-length"), std::to_string(transport::page_file("/ui/")->content.size()));
  EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(Page, RefusesFilesThatAreNotThereAndVerbsThatChange) {
  const auto missing = ask(get("/ui/../gantry.toml"));
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(error_of(missing, "message"), HasSubstr("it begins at /ui/"));
  EXPECT_EQ(ask(get("/ui/other.js")).status, 404);
  const auto refused = ask("POST /ui/ HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.at("allow"), "GET, HEAD");
}

}  // namespace
}  // namespace gantry::testing
