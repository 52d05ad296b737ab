// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/casts.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace gantry::scheduling {
namespace {

Cast cast(const std::string& id, const std::string& host, std::int64_t created_at = 1) {
  Cast made;
  made.id = id;
  made.topic = "compute";
  made.host = host;
  made.method = "run_instance";
  made.created_at = created_at;
  return made;
}

std::vector<std::string> ids(const std::vector<Cast>& casts) {
  std::vector<std::string> result;
  for (const auto& item : casts) result.push_back(item.id);
  return result;
}

std::vector<Cast> receive_now(CastQueue& queue, std::vector<std::string> hosts, std::size_t limit = 10) {
  std::vector<Cast> got;
  queue.receive("compute", std::move(hosts), limit, CastQueue::Clock::now(),
                [&got](std::vector<Cast> casts) { got = std::move(casts); });
  return got;
}

using Ids = std::vector<std::string>;

TEST(CastQueue, HandsOutTheOldestFirstToItsHostAlone) {
  CastQueue queue;
  queue.add(cast("late", "h1", 2));
  queue.add(cast("early", "h1", 1));
  queue.add(cast("other", "h2", 1));
  EXPECT_EQ(ids(receive_now(queue, {"h1"})), (Ids{"early", "late"}));
  EXPECT_EQ(ids(receive_now(queue, {"h2"})), Ids{"other"});
}

TEST(CastQueue, KnowsACastThatIsHeldAndHandsItOutOnceItIsReleased) {
  CastQueue queue;
  auto held = cast("held", "h1");
  held.consumer = "instance";
  queue.hold(held);
  EXPECT_TRUE(receive_now(queue, {"h1"}).empty());
  EXPECT_EQ(queue.ids_of("instance"), Ids{"held"});
  queue.release("held");
  EXPECT_EQ(ids(receive_now(queue, {"h1"})), Ids{"held"});
  queue.acknowledge("held");
  EXPECT_TRUE(queue.ids_of("instance").empty());
  queue.release("held");
  EXPECT_EQ(queue.size(), 0U);
}

TEST(CastQueue, HandsOutNoMoreThanAskedFor) {
  CastQueue queue;
  for (int i = 0; i < 5; ++i) queue.add(cast(std::to_string(i), "h1", i));
  EXPECT_EQ(ids(receive_now(queue, {"h1"}, 2)), (Ids{"0", "1"}));
  EXPECT_EQ(ids(receive_now(queue, {"h1"}, 2)), (Ids{"2", "3"}));
}

TEST(CastQueue, KeepsACastUntilItIsAcknowledged) {
  CastQueue queue;
  queue.add(cast("a", "h1"));
  EXPECT_EQ(receive_now(queue, {"h1"}).size(), 1U);
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_TRUE(queue.acknowledge("a"));
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_FALSE(queue.acknowledge("a"));
}

// A queue whose clock the test sets.
struct TimedQueue {
  std::shared_ptr<std::atomic<std::int64_t>> seconds = std::make_shared<std::atomic<std::int64_t>>(0);
  CastQueue queue{[seconds = seconds] { return CastQueue::Clock::time_point(std::chrono::seconds(1000 + *seconds)); }};
};

TEST(CastQueue, HandsACastThatIsNotAcknowledgedOutAgainAfterThirtySeconds) {
  TimedQueue timed;
  timed.queue.add(cast("lost", "h1"));
  EXPECT_EQ(ids(receive_now(timed.queue, {"h1"})), Ids{"lost"});
  *timed.seconds = 29;
  EXPECT_TRUE(receive_now(timed.queue, {"h1"}).empty());
  *timed.seconds = 31;
  const auto again = receive_now(timed.queue, {"h1"});
  ASSERT_EQ(ids(again), Ids{"lost"});
  EXPECT_EQ(again[0].attempts, 2U);
  *timed.seconds = 60;
  EXPECT_TRUE(receive_now(timed.queue, {"h1"}).empty());
  timed.queue.acknowledge("lost");
  *timed.seconds = 100;
  EXPECT_TRUE(receive_now(timed.queue, {"h1"}).empty());
}

TEST(CastQueue, GivesAWaitingReceiverTheCastThatIsDueAgain) {
  TimedQueue timed;
  timed.queue.add(cast("lost", "h1"));
  EXPECT_EQ(ids(receive_now(timed.queue, {"h1"})), Ids{"lost"});
  auto got = std::make_shared<std::promise<std::vector<Cast>>>();
  auto received = got->get_future();
  timed.queue.receive("compute", {"h1"}, 10, CastQueue::Clock::now() + std::chrono::minutes(1),
                      [got](std::vector<Cast> casts) { got->set_value(std::move(casts)); });
  *timed.seconds = 31;
  ASSERT_EQ(received.wait_for(std::chrono::seconds(30)), std::future_status::ready) << "nothing wakes it but time";
  EXPECT_EQ(ids(received.get()), Ids{"lost"});
}

TEST(CastQueue, WakesAWaitingReceiverWhenOneComes) {
  CastQueue queue;
  std::promise<std::vector<Cast>> got;
  queue.receive("compute", {"h1", "h2"}, 10, CastQueue::Clock::now() + std::chrono::minutes(1),
                [&got](std::vector<Cast> casts) { got.set_value(std::move(casts)); });
  queue.add(cast("b", "h2"));
  EXPECT_EQ(ids(got.get_future().get()), Ids{"b"});
}

TEST(CastQueue, AnswersAWaitingReceiverWithNothingWhenItsTimeIsUp) {
  CastQueue queue;
  std::promise<std::size_t> got;
  queue.receive("compute", {"h1"}, 10, CastQueue::Clock::now() + std::chrono::milliseconds(20),
                [&got](const std::vector<Cast>& casts) { got.set_value(casts.size()); });
  EXPECT_EQ(got.get_future().get(), 0U);
}

TEST(CastQueue, AnswersEveryReceiverWhenWaitingIsStopped) {
  CastQueue queue;
  std::promise<void> got;
  queue.receive("compute", {"h1"}, 10, CastQueue::Clock::now() + std::chrono::hours(1),
                [&got](const std::vector<Cast>&) { got.set_value(); });
  queue.stop_waiting();
  got.get_future().get();
}

TEST(CastQueue, LosesAndRepeatsNoCastWithManyReceivers) {
  CastQueue queue;
  constexpr int count = 500;
  std::atomic<int> received{0};
  std::vector<std::thread> receivers;
  for (int r = 0; r < 3; ++r) {
    receivers.emplace_back([&] {
      while (received < count) {
        std::promise<void> answered;
        queue.receive("compute", {"h1"}, 7, CastQueue::Clock::now() + std::chrono::milliseconds(20),
                      [&](const std::vector<Cast>& casts) {
                        for (const auto& item : casts) received += queue.acknowledge(item.id) ? 1 : 1000;
                        answered.set_value();
                      });
        answered.get_future().get();
      }
    });
  }
  for (int i = 0; i < count; ++i) queue.add(cast(std::to_string(i), "h1", i));
  for (auto& receiver : receivers) receiver.join();
  EXPECT_EQ(received, count);
  EXPECT_EQ(queue.size(), 0U);
}

TEST(Cast, RoundTripsThroughItsStoredForm) {
  auto original = cast("id", "h1", 42);
  original.args = {{"x", 1}};
  original.consumer = "instance";
  const auto read = cast_from_json(to_json(original));
  ASSERT_TRUE(read);
  EXPECT_EQ(json::write(to_json(*read)), json::write(to_json(original)));
  EXPECT_FALSE(cast_from_json({{"id", "x"}}));
}

}  // namespace
}  // namespace gantry::scheduling
