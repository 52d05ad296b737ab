// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

const auto held = post("schedule", R"({"args":{"fake":{"hold":true}}})");

class HttpStop : public ServerTest {
 protected:
  void wait_until_socket_is_gone() const {
    while (std::filesystem::exists(settings_.socket)) std::this_thread::yield();
  }
};

TEST_F(HttpStop, LetsRequestsUnderWayBeAnswered) {
  start();
  RawConnection connection = connect();
  connection.send(held + held);
  ASSERT_TRUE(manager_.wait_until_held(2));
  auto stopped = std::async(std::launch::async, [this] { stop(); });
  wait_until_socket_is_gone();
  EXPECT_FALSE(connect().connected());
  manager_.release();
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_TRUE(connection.ended());
  stopped.get();
}

TEST_F(HttpStop, TakesARequestThatHasBegunToArrive) {
  start();
  RawConnection connection = connect();
  connection.send(get("/livez"));
  EXPECT_TRUE(connection.answer());
  connection.send("GET /livez HT");
  RawConnection other = connect();  // its answer shows that the server has read on
  other.send(get("/livez"));
  EXPECT_TRUE(other.answer());
  auto stopped = std::async(std::launch::async, [this] { stop(); });
  EXPECT_TRUE(other.ended());
  connection.send("TP/1.1\r\nHost: h\r\n\r\n");
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_TRUE(connection.ended());
  stopped.get();
}

TEST_F(HttpStop, AnswersEachRequestThatWasSentBefore) {
  for (int round = 0; round < 30; ++round) {
    start();
    std::vector<RawConnection> known;
    for (int i = 0; i < 8; ++i) {
      known.push_back(connect());
      known.back().send(get("/livez"));
      ASSERT_TRUE(known.back().answer());
    }
    for (auto& connection : known) connection.send(post("schedule", "{}"));
    for (int i = 0; i < 8; ++i) {  // these may not even be accepted yet
      known.push_back(connect());
      known.back().send(post("schedule", "{}"));
    }
    stop();
    for (auto& connection : known) {
      const auto answer = connection.answer();
      ASSERT_TRUE(answer) << "round " << round;
      EXPECT_EQ(answer->status, 200);
    }
  }
}

TEST_F(HttpStop, AnswersPipelinedRequestsThatHaveNotBegunYet) {
  limits_.pipelined_requests = 3;
  start();
  RawConnection connection = connect();
  std::string all = held;
  for (int i = 0; i < 30; ++i) all += post("schedule", "{}");
  connection.send(all);
  ASSERT_TRUE(manager_.wait_until_held(1));
  auto stopped = std::async(std::launch::async, [this] { stop(); });
  wait_until_socket_is_gone();
  manager_.release();
  for (int i = 0; i < 31; ++i) {
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << i;
    EXPECT_EQ(answer->status, 200);
  }
  EXPECT_TRUE(connection.ended());
  stopped.get();
}

TEST_F(HttpStop, EndsIdleConnectionsAtOnce) {
  start();
  RawConnection connection = connect();
  connection.send(get("/livez"));
  EXPECT_TRUE(connection.answer());
  stop();
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpStop, SaysThatItIsNotReadyWhileItStops) {
  start();
  RawConnection connection = connect();
  connection.send(held);
  ASSERT_TRUE(manager_.wait_until_held(1));
  auto stopped = std::async(std::launch::async, [this] { stop(); });
  wait_until_socket_is_gone();
  connection.send(get("/readyz"));
  manager_.release();
  EXPECT_EQ(connection.answer()->status, 200);
  const auto ready = connection.answer();  // read before the end, or not any more
  if (ready) {
    EXPECT_EQ(ready->status, 503);
  }
  stopped.get();
}

TEST_F(HttpStop, SaysWhyItIsNotReadyAndServesOn) {
  manager_.reasons = {"the store is full", "a driver \"hangs\""};
  start();
  const auto ready = ask(get("/readyz"));
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body, R"({"status":"not ready","reasons":["the store is full","a driver \"hangs\""]})");
  EXPECT_EQ(ask(get("/livez")).status, 200);
  EXPECT_EQ(ask(post("status", "{}")).status, 200);
}

TEST_F(HttpStop, SaysThatItIsNotReadyFromTheBeginningOfTheStopAndServesOn) {
  start();
  server_->begin_stop();
  EXPECT_EQ(ask(get("/readyz")).status, 503);
  EXPECT_EQ(ask(get("/livez")).status, 200);
  EXPECT_EQ(ask(post("status", "{}")).status, 200);
}

TEST_F(HttpStop, EndsAtTheDeadlineAndDropsAnswersThatComeLater) {
  start();
  RawConnection connection = connect();
  connection.send(held);
  ASSERT_TRUE(manager_.wait_until_held(1));
  stop(50ms);
  EXPECT_TRUE(connection.ended());
  server_.reset();
  manager_.release();
}

TEST_F(HttpStop, HappensAtItsDestructionAndOnlyOnce) {
  start();
  RawConnection connection = connect();
  connection.send(held);
  ASSERT_TRUE(manager_.wait_until_held(1));
  server_.reset();
  EXPECT_TRUE(connection.ended());
  start();
  stop();
  stop();
}

TEST_F(HttpStop, GivesTheSocketToTheNext) {
  for (int i = 0; i < 3; ++i) {
    start();
    EXPECT_EQ(ask(get("/livez")).status, 200);
    stop();
    EXPECT_FALSE(std::filesystem::exists(settings_.socket));
  }
}

TEST_F(HttpStop, DoesNotStartInPlaceOfALiveServer) {
  start();
  const auto second = transport::HttpServer::start(settings_, manager_, telemetry::Logger::none());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::already_exists);
  EXPECT_THAT(second.error().message, HasSubstr(settings_.socket));
  EXPECT_EQ(ask(get("/livez")).status, 200);
}

TEST_F(HttpStop, BreaksNoAnswerUnderLoad) {
  start();
  std::atomic<bool> go_on{true};
  std::atomic<int> half_answers{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      while (go_on) {
        RawConnection connection = connect();
        if (!connection.connected() || !connection.send(post("schedule", "{}"))) continue;
        const auto answer = connection.answer();
        if (answer && answer->status != 200) ++half_answers;
      }
    });
  }
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(5ms);
    stop();
    start();
  }
  go_on = false;
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(half_answers, 0);
}

}  // namespace
}  // namespace gantry::testing
