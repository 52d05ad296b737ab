// SPDX-License-Identifier: Apache-2.0
//
// Serving connections: order, concurrency, bodies, ends.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;

class HttpConnections : public ServerTest {};

TEST_F(HttpConnections, ServesOneRequestAfterAnother) {
  start();
  RawConnection connection = connect();
  for (int i = 0; i < 3; ++i) {
    connection.send(numbered(i));
    EXPECT_EQ(number_in(result_of(*connection.answer())), i);
  }
}

TEST_F(HttpConnections, AnswersPipelinedRequestsInTheirOrder) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(0, R"({"delay_ms":30})") + numbered(1) + numbered(2, R"({"delay_ms":5})") + get("/livez") +
                  numbered(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_in(result_of(*connection.answer())), i);
  EXPECT_EQ(connection.answer()->body, R"({"status":"ok"})");
  EXPECT_EQ(number_in(result_of(*connection.answer())), 3);
}

TEST_F(HttpConnections, DecidesFurtherPipelinedRequestsWhileOneWaits) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(0, R"({"hold":true})") + numbered(1, R"({"hold":true})"));
  EXPECT_TRUE(manager_.wait_until_held(2));
  manager_.release();
  EXPECT_EQ(number_in(result_of(*connection.answer())), 0);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
}

TEST_F(HttpConnections, TakesMorePipelinedRequestsThanItBeginsAtATime) {
  limits_.pipelined_requests = 3;
  start();
  RawConnection connection = connect();
  std::string all;
  for (int i = 0; i < 100; ++i) all += numbered(i, i % 7 == 0 ? R"({"delay_ms":1})" : "{}");
  connection.send(all);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(number_in(result_of(*connection.answer())), i);
}

TEST_F(HttpConnections, TakesARequestByteByByte) {
  start();
  RawConnection connection = connect();
  for (const char byte : numbered(7)) connection.send(std::string_view(&byte, 1));
  EXPECT_EQ(number_in(result_of(*connection.answer())), 7);
}

TEST_F(HttpConnections, CarriesLargeBodiesBothWays) {
  start();
  const std::string large(5 << 20, 'x');
  RawConnection connection = connect();
  for (int i = 0; i < 2; ++i) {
    connection.send(post("schedule", R"({"args":{"large":")" + large + "\"}}"));
    const auto result = result_of(*connection.answer());
    EXPECT_EQ(json::find_string(*json::find_object(result, "args"), "large")->size(), large.size());
  }
}

TEST_F(HttpConnections, AnswersAClientThatHasEndedItsInput) {
  start();
  RawConnection connection = connect();
  connection.send(numbered(1, R"({"delay_ms":20})") + numbered(2));
  connection.end_of_input();
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, EndsWhenTheClientAsksForIt) {
  start();
  RawConnection connection = connect();
  connection.send(get("/livez", "Connection: close\r\n"));
  EXPECT_EQ(connection.answer()->headers.at("connection"), "close");
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, ServesHttp10Clients) {
  start();
  RawConnection connection = connect();
  connection.send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(connection.answer()->headers.at("connection"), "keep-alive");
  connection.send("GET /livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, InvitesABodyThatTheClientHoldsBack) {
  start();
  RawConnection connection = connect();
  connection.send(
      "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(connection.answer()->status, 100);
  connection.send("{}");
  EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(HttpConnections, WaitsLongerForAnAnswerThanForARequest) {
  settings_.idle_timeout = 20ms;
  settings_.receive_timeout = 20ms;
  start();
  RawConnection connection = connect();
  connection.send(numbered(1, R"({"delay_ms":200})"));
  EXPECT_EQ(connection.answer()->status, 200);
}

TEST_F(HttpConnections, HoldsNoThreadWhileCallsWait) {
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

TEST_F(HttpConnections, ServesOthersWhileADecisionTakesItsTime) {
  settings_.workers = 2;
  start();
  RawConnection slow = connect();
  slow.send(numbered(1, R"({"block_ms":300})"));
  EXPECT_EQ(ask(get("/livez")).status, 200);
  EXPECT_EQ(slow.answer()->status, 200);
}

TEST_F(HttpConnections, TellsTheClientIfTheManagerForgetsIt) {
  start();
  const auto answer = ask(numbered(1, R"({"forget":true})"));
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(error_of(answer, "code"), "internal");
}

TEST_F(HttpConnections, SurvivesAClientThatVanishesInTheMidstOfACall) {
  start();
  {
    RawConnection connection = connect();
    connection.send(numbered(1, R"({"hold":true})"));
    ASSERT_TRUE(manager_.wait_until_held(1));
  }
  {
    RawConnection connection = connect();
    connection.send(
        "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{");
  }
  manager_.release();
  EXPECT_EQ(ask(get("/livez")).status, 200);
}

TEST_F(HttpConnections, ServesAThousandConnectionsAtATime) {
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

TEST_F(HttpConnections, GivesEachConnectionItsOwnAnswersUnderConcurrentCalls) {
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

TEST_F(HttpConnections, AnswersDocumentsAndCallsOfOneConnectionInTheirOrder) {
  start();
  RawConnection connection = connect();
  connection.send(get("/livez") + get("/readyz") + numbered(1) + get("/livez") + numbered(2, R"({"delay_ms":20})") +
                  get("/livez", "Connection: close\r\n"));
  for (const int status : {200, 200}) EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, status);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).headers["connection"], "close");
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpConnections, AnswersTheOnlyRequestOfAConnection) {
  start();
  for (int i = 0; i < 20; ++i) {
    RawConnection connection = connect();
    connection.send(post("schedule", "{}", "Connection: close\r\n"));
    EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
    EXPECT_TRUE(connection.ended());
  }
}

TEST_F(HttpConnections, ServesOthersWhileLargeRequestsAreDecided) {
  settings_.workers = 1;
  start();
  const std::string filler(100'000, 'x');
  const auto large = post("schedule", R"({"args":{"filler":")" + filler + R"(","fake":{"block_ms":300}}})");
  std::vector<RawConnection> slow;
  for (int i = 0; i < 4; ++i) {
    slow.push_back(connect());
    slow.back().send(large);
  }
  while (manager_.handled() == 0) std::this_thread::yield();
  EXPECT_EQ(ask(numbered(1)).status, 200);
  EXPECT_LT(manager_.handled(), 5U) << "it was decided after the large requests";
  for (auto& connection : slow) EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HttpConnections, RefusesALargeBodyThatIsNotJsonAndServesTheNextRequest) {
  start();
  RawConnection connection = connect();
  connection.send(post("schedule", std::string(100'000, '[')) + numbered(1));
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 400);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
}

}  // namespace
}  // namespace gantry::testing
