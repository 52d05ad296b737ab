// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/long_reads.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using transport::LongReads;

class LongReadsTest : public ::testing::Test {
 protected:
  // A read that says when it runs, and runs until release().
  std::function<void()> held() {
    return [this] {
      ++running_;
      running_.notify_all();
      released_.wait();
      --running_;
    };
  }
  void wait_until_running(int count) {
    for (int now = running_; now < count; now = running_) running_.wait(now);
  }
  std::function<void()> noted(const std::string& name) {
    return [this, name] {
      const std::lock_guard lock(mutex_);
      order_.push_back(name);
    };
  }
  void release() { released_.count_down(); }

  std::latch released_{1};
  std::atomic<int> running_{0};
  std::mutex mutex_;
  std::vector<std::string> order_;
  LongReads lane_;  // ends first
};

TEST_F(LongReadsTest, LeavesAThreadToOthersHoweverManyReadsACallerHas) {
  lane_.start(2);
  for (std::size_t i = 0; i < LongReads::most_waiting_of_one; ++i) ASSERT_TRUE(lane_.submit("greedy", held()));
  wait_until_running(1);
  std::promise<int> found;
  ASSERT_TRUE(lane_.submit("modest", [&] { found.set_value(running_); }));
  EXPECT_EQ(found.get_future().get(), 1);
  release();
}

TEST_F(LongReadsTest, BoundsTheReadsOfOneCallerAndOfAll) {
  std::size_t taken = 0;
  while (lane_.submit("greedy", noted("greedy"))) ++taken;
  EXPECT_EQ(taken, LongReads::most_waiting_of_one);
  for (; taken < LongReads::most_waiting; ++taken) {
    const auto caller = std::to_string(taken / LongReads::most_waiting_of_one);
    ASSERT_TRUE(lane_.submit(caller, noted("other")));
  }
  EXPECT_FALSE(lane_.submit("modest", noted("modest")));
  ASSERT_TRUE(lane_.poll());
  EXPECT_TRUE(lane_.submit("modest", noted("modest"))) << "a read that has run leaves its place";
}

TEST_F(LongReadsTest, LetsCallersTakeTurns) {
  for (const auto* name : {"a1", "a2", "a3"}) ASSERT_TRUE(lane_.submit("a", noted(name)));
  for (const auto* name : {"b1", "b2"}) ASSERT_TRUE(lane_.submit("b", noted(name)));
  while (lane_.poll()) continue;
  EXPECT_THAT(order_, ElementsAre("a1", "b1", "a2", "b2", "a3"));
}

TEST_F(LongReadsTest, DropsWhatWaitsAtItsEndAndWaitsForWhatRuns) {
  lane_.start(2);
  ASSERT_TRUE(lane_.submit("a", held()));
  wait_until_running(1);
  auto waits = std::make_shared<int>(0);
  const std::weak_ptr<int> dropped = waits;
  ASSERT_TRUE(lane_.submit("a", [waits = std::move(waits)] { ++*waits; }));
  std::thread end([this] { lane_.join(); });
  while (!dropped.expired()) std::this_thread::yield();
  EXPECT_EQ(running_, 1);
  release();
  end.join();
  EXPECT_EQ(running_, 0);
  EXPECT_FALSE(lane_.submit("a", noted("late")));
}

class HttpLongReads : public ServerTest {
 protected:
  static std::string list(std::string_view fake) {
    return post("list_hosts", R"({"args":{"fake":)" + std::string(fake) + "}}");
  }
};

TEST_F(HttpLongReads, KeepNoOtherCallWaiting) {
  settings_.workers = 1;
  start();
  std::vector<RawConnection> readers;
  for (int i = 0; i < 8; ++i) {
    readers.push_back(connect());
    readers.back().send(list(R"({"block_ms":200})"));
  }
  EXPECT_EQ(ask(numbered(1)).status, 200);
  EXPECT_LT(manager_.handled(), 9U) << "the call has waited until every list was read";
  EXPECT_TRUE(server_->works(std::chrono::seconds(10)));
  for (auto& reader : readers) EXPECT_EQ(reader.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HttpLongReads, AreRefusedForAWhileBeyondTheirBound) {
  start();
  std::vector<RawConnection> readers;
  for (std::size_t i = 0; i < 3 * transport::LongReads::most_waiting_of_one; ++i) {
    readers.push_back(connect());
    readers.back().send(list(R"({"block_ms":50})"));
  }
  int refused = 0;
  for (auto& reader : readers) {
    const auto answer = reader.answer();
    ASSERT_TRUE(answer);
    if (answer->status == 200) continue;
    ++refused;
    EXPECT_EQ(answer->status, 503);
    EXPECT_EQ(answer->headers.at("retry-after"), "1");
    EXPECT_THAT(error_of(*answer, "message"), HasSubstr("of one caller to wait for their turn"));
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, static_cast<int>(readers.size()));
}

TEST_F(HttpLongReads, ThatWaitForAnExaminationAreBoundedForEachCaller) {
  start();
  const auto examine = [](const std::string& headers = {}) {
    return post("doctor", R"({"args":{"fake":{"hold":true}}})", headers);
  };
  constexpr auto most = transport::LongReads::most_waiting_of_one;
  std::vector<RawConnection> readers;
  for (std::size_t i = 0; i < most; ++i) {
    readers.push_back(connect());
    readers.back().send(examine());
  }
  ASSERT_TRUE(manager_.wait_until_held(most));
  const auto refused = ask(examine());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("examinations and reports of one caller to wait"));
  auto other = connect();
  other.send(examine("Authorization: Bearer good\r\n"));
  ASSERT_TRUE(manager_.wait_until_held(most + 1)) << "another caller has places of its own";
  manager_.release();
  for (auto& reader : readers) EXPECT_EQ(reader.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(other.answer().value_or(RawAnswer{}).status, 200);
  auto again = connect();
  again.send(examine());
  ASSERT_TRUE(manager_.wait_until_held(1)) << "what is answered leaves its place";
  manager_.release();
  EXPECT_EQ(again.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HttpLongReads, EndWithTheirTimeThoughTheyWaitForTheirTurn) {
  start();
  auto first = connect();
  auto second = connect();
  for (auto* reader : {&first, &second}) reader->send(list(R"({"block_ms":500})"));
  while (manager_.handled() < 1) std::this_thread::yield();
  auto late = connect();
  late.send(post("list_hosts", "{}", "X-Timeout-Ms: 1\r\n"));
  const auto answer = late.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 504);
  EXPECT_EQ(error_of(*answer, "code"), "deadline_exceeded");
}

TEST_F(HttpLongReads, AnswerInTheOrderOfTheRequestsOfTheirConnection) {
  start();
  auto connection = connect();
  connection.send(list(R"({"block_ms":30,"result":"first"})") + numbered(2) + list(R"({"result":"third"})"));
  EXPECT_THAT(connection.answer()->body, HasSubstr("first"));
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
  EXPECT_THAT(connection.answer()->body, HasSubstr("third"));
}

}  // namespace
}  // namespace gantry::testing
