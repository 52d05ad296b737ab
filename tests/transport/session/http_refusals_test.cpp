// SPDX-License-Identifier: Apache-2.0
//
// Limits of a connection: sizes, times, requests refused in a row, and bytes that are not HTTP.
#include <gmock/gmock.h>

#include <random>
#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class HttpRefusals : public ServerTest {};

TEST_F(HttpRefusals, RefusesABodyBeforeItIsSent) {
  start();
  RawConnection connection = connect();
  connection.send("POST /v1/nothing HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 404);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpRefusals, RefusesABodyThatIsTooLarge) {
  settings_.max_body_bytes = 1000;
  start();
  const auto announced = ask(post("schedule", std::string(1001, ' ')));
  EXPECT_EQ(announced.status, 413);
  EXPECT_THAT(error_of(announced, "message"), HasSubstr("at most 1000 bytes (server.max_body_bytes)"));
  const auto chunked =
      ask("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: "
          "chunked\r\n\r\n800\r\n" +
          std::string(0x800, ' ') + "\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.status, 413);
}

TEST_F(HttpRefusals, RefusesABodyInAnEncoding) {
  start();
  const auto answer =
      ask("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
          "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(answer.status, 415);
  EXPECT_THAT(error_of(answer, "message"), HasSubstr("Content-Encoding: expected none, found 'gzip'"));
}

TEST_F(HttpRefusals, LetsARefusedClientReadWhyThoughItStillSends) {
  settings_.max_body_bytes = 1000;
  start();
  EXPECT_EQ(ask(post("schedule", std::string(20 << 20, ' '))).status, 413);
}

TEST_F(HttpRefusals, RefusesHeadersThatAreTooLarge) {
  start();
  const auto answer = ask(get("/livez", "X-Long: " + std::string(20'000, 'x') + "\r\n"));
  EXPECT_EQ(answer.status, 431);
  EXPECT_EQ(error_of(answer, "code"), "invalid_argument");
  EXPECT_EQ(ask(get("/" + std::string(20'000, 'x'))).status, 431);
}

TEST_F(HttpRefusals, LimitsAHeadInSmallPiecesAsAWhole) {
  start();
  RawConnection connection = connect();
  connection.send("GET / HTTP/1.1\r\nHost: h\r\n");
  for (int count = 0; count < 20; ++count) {
    std::string fields;
    for (int field = 0; field < 100; ++field) fields += "A: 0123456789\r\n";
    if (!connection.send(fields)) break;
  }
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 431);
}

TEST_F(HttpRefusals, EndsWithTheLastOfSoManyRefusalsInARow) {
  limits_.refusals = 3;
  start();
  RawConnection connection = connect();
  const auto status_of = [&connection](const std::string& request) {
    connection.send(request);
    const auto answer = connection.answer().value_or(RawAnswer{});
    const auto end = answer.headers.find("connection");
    return std::to_string(answer.status) + (end == answer.headers.end() ? "" : " " + end->second);
  };
  EXPECT_EQ(status_of(get("/v1/nothing")), "404");
  EXPECT_EQ(status_of(get("/v1/nothing")), "404");
  EXPECT_EQ(status_of(get("/livez")), "200");
  EXPECT_EQ(status_of(get("/v1/nothing")), "404");
  EXPECT_EQ(status_of(get("/v1/nothing")), "404");
  EXPECT_EQ(status_of(get("/v1/nothing")), "404 close");
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpRefusals, TakesRequestsEverMoreSlowlyAfterDenials) {
  limits_.free_denials = 1;
  limits_.longest_pause = 32ms;
  start();
  const auto denied = get("/v1/hosts_up", "Authorization: Bearer nobody\r\n");
  RawConnection connection = connect();
  const auto status_of_next = [&connection] { return connection.answer().value_or(RawAnswer{}).status; };
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 8; ++i) connection.send(denied);
  connection.send(get("/livez"));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(status_of_next(), 401);
  EXPECT_EQ(status_of_next(), 200) << "it is only later";
  EXPECT_GE(std::chrono::steady_clock::now() - began, (2 + 4 + 8 + 16 + 32 + 32 + 32) * 1ms);
  connection.send(denied);
  EXPECT_EQ(status_of_next(), 401) << "what was taken ended the row of denials";
}

TEST_F(HttpRefusals, BoundsTheRequestsThatArriveInSmallReads) {
  limits_.small_read_requests = 1;
  start();
  const std::string request = get("/livez", "X-Filler: " + std::string(40, 'x') + "\r\n");
  const auto send_small = [&request](RawConnection& connection) {
    for (std::size_t i = 0; i < 40; ++i) {
      connection.send(request.substr(i, 1));
      std::this_thread::sleep_for(2ms);
    }
  };
  RawConnection first = connect();
  send_small(first);
  RawConnection second = connect();
  send_small(second);
  const auto refused = second.answer().value_or(RawAnswer{});
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.headers.contains("retry-after"));
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("expected at most 1 requests at a time that arrive in pieces"));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  first.send(request.substr(40));
  EXPECT_EQ(first.answer().value_or(RawAnswer{}).status, 200);
  RawConnection third = connect();
  send_small(third);
  third.send(request.substr(40));
  EXPECT_EQ(third.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HttpRefusals, RefusesBytesThatAreNotHttp) {
  start();
  for (const std::string bytes :
       {"\x16\x03\x01\x02hello over TLS\r\n\r\n", "{\"method\":1}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"}) {
    RawConnection connection = connect();
    connection.send(bytes);
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << bytes;
    EXPECT_EQ(answer->status, 400) << bytes;
    EXPECT_TRUE(connection.ended());
  }
}

TEST_F(HttpRefusals, SurvivesRandomBytesInsideOfRequests) {
  start();
  std::mt19937 random(7);  // NOLINT: the same bytes at each run
  for (int round = 0; round < 200; ++round) {
    std::string bytes = numbered(round) + numbered(round);
    for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = static_cast<char>(random() & 0xff);
    RawConnection connection = connect();
    connection.send(bytes);
    connection.end_of_input();
    while (connection.answer()) {
    }
  }
  EXPECT_EQ(ask(get("/livez")).status, 200);
}

TEST_F(HttpRefusals, EndsWithoutARequestInTime) {
  settings_.idle_timeout = 50ms;
  start();
  RawConnection connection = connect();
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpRefusals, RefusesARequestThatIsNotCompleteInTime) {
  settings_.receive_timeout = 50ms;
  start();
  for (const std::string begun : {"PO", "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Le",
                                  "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"}) {
    RawConnection connection = connect();
    connection.send(begun);
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << begun;
    EXPECT_EQ(answer->status, 408);
    EXPECT_TRUE(connection.ended());
  }
}

TEST_F(HttpRefusals, EndsIfTheClientTakesNothingOfItsAnswers) {
  limits_.write = 50ms;
  start();
  RawConnection connection = connect();
  const std::string large = post("schedule", R"({"args":{"large":")" + std::string(1 << 20, 'x') + "\"}}");
  int sent = 0;
  while (connection.send(large)) ASSERT_LT(++sent, 1000);
}

}  // namespace
}  // namespace gantry::testing
