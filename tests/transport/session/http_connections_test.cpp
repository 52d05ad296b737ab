// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <random>
#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class HttpConnections : public ServerTest {};

std::string numbered(int number, std::string_view fake = "{}") {
  return post("schedule", R"({"args":{"number":)" + std::to_string(number) + R"(,"fake":)" + std::string(fake) + "}}");
}

std::int64_t number_in(const json::object& result) {
  return json::find_integer(*json::find_object(result, "args"), "number").value_or(-1);
}

TEST_F(HttpConnections, ServeOneRequestAfterAnother) {
  start();
  RawConnection connection = connect();
  for (int i = 0; i < 3; ++i) {
    connection.send(numbered(i));
    EXPECT_EQ(number_in(result_of(*connection.answer())), i);
  }
}

TEST_F(HttpConnections, AnswerPipelinedRequestsInTheirOrder) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(0, R"({"delay_ms":30})") + numbered(1) + numbered(2, R"({"delay_ms":5})") + get("/livez") +
                  numbered(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_in(result_of(*connection.answer())), i);
  EXPECT_EQ(connection.answer()->body, R"({"status":"ok"})");
  EXPECT_EQ(number_in(result_of(*connection.answer())), 3);
}

TEST_F(HttpConnections, DecideFurtherPipelinedRequestsWhileOneWaits) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(0, R"({"hold":true})") + numbered(1, R"({"hold":true})"));
  EXPECT_TRUE(manager_.wait_until_held(2));
  manager_.release();
  EXPECT_EQ(number_in(result_of(*connection.answer())), 0);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
}

TEST_F(HttpConnections, TakeMorePipelinedRequestsThanAreBegunAtOnce) {
  limits_.pipelined_requests = 3;
  start();
  RawConnection connection = connect();
  std::string all;
  for (int i = 0; i < 100; ++i) all += numbered(i, i % 7 == 0 ? R"({"delay_ms":1})" : "{}");
  connection.send(all);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(number_in(result_of(*connection.answer())), i);
}

TEST_F(HttpConnections, TakeARequestThatComesByteByByte) {
  start();
  RawConnection connection = connect();
  for (const char byte : numbered(7)) connection.send(std::string_view(&byte, 1));
  EXPECT_EQ(number_in(result_of(*connection.answer())), 7);
}

TEST_F(HttpConnections, CarryLargeBodiesBothWays) {
  start();
  const std::string large(5 << 20, 'x');
  RawConnection connection = connect();
  for (int i = 0; i < 2; ++i) {
    connection.send(post("schedule", R"({"args":{"large":")" + large + "\"}}"));
    const auto result = result_of(*connection.answer());
    EXPECT_EQ(json::find_string(*json::find_object(result, "args"), "large")->size(), large.size());
  }
}

TEST_F(HttpConnections, AnswerAClientThatHasEndedItsInput) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(1, R"({"delay_ms":20})") + numbered(2));
  connection.end_of_input();
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, EndWhenTheClientAsksForIt) {
  start();
  RawConnection connection = connect();
  connection.send(get("/livez", "Connection: close\r\n"));
  EXPECT_EQ(connection.answer()->headers.at("connection"), "close");
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, ServeHttp10Clients) {
  start();
  RawConnection connection = connect();
  connection.send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(connection.answer()->headers.at("connection"), "keep-alive");
  connection.send("GET /livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, InviteABodyThatTheClientHoldsBack) {
  start();
  RawConnection connection = connect();
  connection.send(
      "POST /v1/schedule HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 100);
  connection.send("{}");
  EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(HttpConnections, RefuseABodyBeforeItIsSent) {
  start();
  RawConnection connection = connect();
  connection.send("POST /v1/nothing HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 404);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, RefuseABodyThatIsTooLarge) {
  settings_.max_body_bytes = 1000;
  start();
  const auto announced = ask(post("schedule", std::string(1001, ' ')));
  EXPECT_EQ(announced.status, 413);
  EXPECT_THAT(error_of(announced, "message"), HasSubstr("at most 1000 bytes (server.max_body_bytes)"));
  const auto chunked =
      ask("POST /v1/schedule HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" +
          std::string(0x800, ' ') + "\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.status, 413);
}

TEST_F(HttpConnections, LetARefusedClientReadWhyThoughItStillSends) {
  settings_.max_body_bytes = 1000;
  start();
  EXPECT_EQ(ask(post("schedule", std::string(20 << 20, ' '))).status, 413);
}

TEST_F(HttpConnections, RefuseHeadersThatAreTooLarge) {
  start();
  const auto answer = ask(get("/livez", "X-Long: " + std::string(20'000, 'x') + "\r\n"));
  EXPECT_EQ(answer.status, 431);
  EXPECT_EQ(error_of(answer, "code"), "invalid_argument");
  EXPECT_EQ(ask(get("/" + std::string(20'000, 'x'))).status, 431);
}

TEST_F(HttpConnections, AHeadThatComesInSmallPiecesIsLimitedAsAWhole) {
  start();
  RawConnection connection = connect();
  connection.send("GET / HTTP/1.1\r\n");
  for (int count = 0; count < 20; ++count) {
    std::string fields;
    for (int field = 0; field < 100; ++field) fields += "A: 0123456789\r\n";
    if (!connection.send(fields)) break;
  }
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 431);
}

constexpr std::string_view chunked_head =
    "POST /v1/schedule HTTP/1.1\r\nHost: gantry\r\nContent-Type: application/json\r\nTransfer-Encoding: "
    "chunked\r\n\r\n";

std::string repeated(std::string_view piece, std::size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  return text;
}

class ChunkedRequests : public HttpConnections {
 protected:
  // Sends four times as much as is allowed, never an end of it.
  void expect_refused_unfinished(std::string_view begun, std::string_view piece) const {
    RawConnection connection = connect();
    connection.send(std::string(chunked_head).append(begun));
    for (int part = 0; part < 64; ++part) {
      if (!connection.send(repeated(piece, settings_.max_header_bytes / 16))) break;
    }
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << "it all piled up";
    EXPECT_EQ(answer->status, 431);
    EXPECT_EQ(answer->headers.at("connection"), "close");
    EXPECT_THAT(error_of(*answer, "message"), HasSubstr("at most 16384 bytes (server.max_header_bytes)"));
    EXPECT_TRUE(connection.ended());
  }
};

TEST_F(ChunkedRequests, AreRefusedWithAnEndlessChunkExtension) {
  start();
  expect_refused_unfinished("1;", "a");
  expect_refused_unfinished("2\r\n{}\r\n1;", "a");
}

TEST_F(ChunkedRequests, AreRefusedWithAnEndlessChunkSize) {
  start();
  expect_refused_unfinished("", "0");
}

TEST_F(ChunkedRequests, AreRefusedWithEndlessTrailers) {
  start();
  expect_refused_unfinished("2\r\n{}\r\n0\r\n", "A: b\r\n");
}

TEST_F(ChunkedRequests, AreRefusedWithAnEndlessTrailer) {
  start();
  expect_refused_unfinished("0\r\nA: ", "b");
}

TEST_F(ChunkedRequests, AreRefusedWithTooManyTrailersThoughAllComeAtOnce) {
  start();
  const std::string trailers = repeated("A: b\r\n", settings_.max_header_bytes);
  EXPECT_EQ(ask(std::string(chunked_head).append("2\r\n{}\r\n0\r\n").append(trailers).append("\r\n")).status, 431);
}

TEST_F(ChunkedRequests, MayHaveManyChunksWithAnExtensionEachAndATrailer) {
  start();
  const std::string text(100'000, 'x');
  std::string request = std::string(chunked_head) + "11;first=\"a b\"\r\n{\"args\":{\"text\":\"\r\n";
  for (std::size_t at = 0; at < text.size(); at += 10) request += "a;name=value\r\n" + text.substr(at, 10) + "\r\n";
  request += "3\r\n\"}}\r\n0;last\r\nX-Checksum: 1\r\n\r\n";
  RawConnection connection = connect();
  connection.send(request);
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 200) << answer->body;
  const auto result = result_of(*answer);
  EXPECT_EQ(json::find_string(*json::find_object(result, "args"), "text").value_or(""), text);
}

TEST_F(ChunkedRequests, MayHaveAChunkThatIsLargerThanHeadersMayBe) {
  start();
  RawConnection connection = connect();
  connection.send(std::string(chunked_head) + "30d40\r\n{" + std::string(199'998, ' ') + "}\r\n0\r\n\r\n");
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(ChunkedRequests, AreNotChargedWithWhatIsPipelinedBehindThem) {
  start();
  const std::string chunked = std::string(chunked_head) + "2;a=b\r\n{}\r\n0\r\nX-Checksum: 1\r\n\r\n";
  std::string all;
  for (int i = 0; i < 20; ++i) all += chunked + numbered(i, "\"" + std::string(20'000, 'x') + "\"");
  RawConnection connection = connect();
  std::thread sender([&connection, &all] { connection.send(all); });
  for (int i = 0; i < 40; ++i) EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200) << i;
  sender.join();
}

TEST_F(HttpConnections, EndWithTheLastOfSoManyRefusalsInARow) {
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

TEST_F(HttpConnections, OfWhoMayNotAskAreTakenEverMoreSeldom) {
  limits_.free_denials = 1;
  limits_.rest = 32ms;
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

TEST_F(HttpConnections, BoundHowManyRequestsComeInCrumbsAtATime) {
  limits_.requests_in_crumbs = 1;
  start();
  const std::string request = get("/livez", "X-Filler: " + std::string(40, 'x') + "\r\n");
  const auto send_crumbs = [&request](RawConnection& connection) {
    for (std::size_t i = 0; i < 40; ++i) {
      connection.send(request.substr(i, 1));
      std::this_thread::sleep_for(2ms);
    }
  };
  RawConnection first = connect();
  send_crumbs(first);
  RawConnection second = connect();
  send_crumbs(second);
  const auto refused = second.answer().value_or(RawAnswer{});
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.headers.contains("retry-after"));
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("expected at most 1 requests at a time that arrive in pieces"));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  first.send(request.substr(40));
  EXPECT_EQ(first.answer().value_or(RawAnswer{}).status, 200);
  RawConnection third = connect();
  send_crumbs(third);
  third.send(request.substr(40));
  EXPECT_EQ(third.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HttpConnections, RefuseWhatIsNoHttp) {
  start();
  for (const std::string bytes : {"\x16\x03\x01\x02hello over TLS\r\n\r\n", "{\"method\":1}\r\n\r\n",
                                  "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"}) {
    RawConnection connection = connect();
    connection.send(bytes);
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << bytes;
    EXPECT_EQ(answer->status, 400) << bytes;
    EXPECT_TRUE(connection.ended());
  }
}

TEST_F(HttpConnections, SurviveRandomBytesInsideOfRequests) {
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

TEST_F(HttpConnections, EndWithoutARequestInTime) {
  settings_.idle_timeout = 50ms;
  start();
  RawConnection connection = connect();
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, RefuseARequestThatDoesNotComeToItsEndInTime) {
  settings_.receive_timeout = 50ms;
  start();
  for (const std::string begun :
       {"PO", "POST /v1/schedule HTTP/1.1\r\nContent-Le", "POST /v1/schedule HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"}) {
    RawConnection connection = connect();
    connection.send(begun);
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << begun;
    EXPECT_EQ(answer->status, 408);
    EXPECT_TRUE(connection.ended());
  }
}

TEST_F(HttpConnections, EndIfTheClientTakesNothingOfItsAnswers) {
  limits_.write = 50ms;
  start();
  RawConnection connection = connect();
  const std::string large = post("schedule", R"({"args":{"large":")" + std::string(1 << 20, 'x') + "\"}}");
  int sent = 0;
  while (connection.send(large)) ASSERT_LT(++sent, 1000);
}

TEST_F(HttpConnections, KeepWaitingForAnAnswerLongerThanForARequest) {
  settings_.idle_timeout = 20ms;
  settings_.receive_timeout = 20ms;
  start();
  RawConnection connection = connect();
  connection.send(numbered(1, R"({"delay_ms":200})"));
  EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(HttpConnections, HoldNoThreadWhileTheirCallsWait) {
  settings_.workers = 1;
  start();
  std::vector<RawConnection> waiting;
  for (int i = 0; i < 20; ++i) waiting.push_back(connect());
  for (auto& connection : waiting) connection.send(numbered(1, R"({"hold":true})"));
  ASSERT_TRUE(manager_.wait_until_held(waiting.size()));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  manager_.release();
  for (auto& connection : waiting) EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(HttpConnections, AreServedWhileAnotherDecisionTakesItsTime) {
  settings_.workers = 2;
  start();
  RawConnection slow = connect();
  slow.send(numbered(1, R"({"block_ms":300})"));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  EXPECT_EQ(slow.answer()->status, 200);
}

TEST_F(HttpConnections, TellTheClientIfTheManagerForgetsIt) {
  start();
  const auto answer = ask(numbered(1, R"({"forget":true})"));
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(error_of(answer, "code"), "internal");
}

TEST_F(HttpConnections, MayVanishInTheMidstOfACall) {
  start();
  {
    RawConnection connection = connect();
    connection.send(numbered(1, R"({"hold":true})"));
    ASSERT_TRUE(manager_.wait_until_held(1));
  }
  {
    RawConnection connection = connect();
    connection.send("POST /v1/schedule HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{");
  }
  manager_.release();
  EXPECT_EQ(ask(get("/livez")).status, 200);
}

TEST_F(HttpConnections, AreServedAThousandAtATime) {
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = std::min<rlim_t>(descriptors.rlim_max, 8192);
  setrlimit(RLIMIT_NOFILE, &descriptors);
  if (descriptors.rlim_cur < 2'200) GTEST_SKIP() << "needs 2,200 descriptors";
  start();
  std::vector<RawConnection> all;
  for (int i = 0; i < 1'000; ++i) {
    all.push_back(connect());
    ASSERT_TRUE(all.back().connected());
    all.back().send(numbered(i, i % 2 == 0 ? R"({"hold":true})" : R"({"delay_ms":10})"));
  }
  ASSERT_TRUE(manager_.wait_until_held(500));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  manager_.release();
  for (int i = 0; i < 1'000; ++i) {
    const auto answer = all[static_cast<std::size_t>(i)].answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(number_in(result_of(*answer)), i);
  }
}

TEST_F(HttpConnections, GetTheirOwnAnswersUnderConcurrentCalls) {
  start();
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([this, caller, &wrong] {
      RawConnection connection = connect();
      for (int i = 0; i < 50; ++i) {
        const int first = caller * 1000 + i * 2;
        connection.send(numbered(first, i % 3 == 0 ? R"({"delay_ms":1})" : "{}") + numbered(first + 1));
        for (const int number : {first, first + 1}) {
          const auto answer = connection.answer();
          if (!answer || number_in(result_of(*answer)) != number) ++wrong;
        }
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gantry::testing
