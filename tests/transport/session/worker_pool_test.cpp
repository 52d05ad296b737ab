// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/worker_pool.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <boost/asio/defer.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <string_view>

namespace gantry::transport {
namespace {

using namespace std::chrono_literals;

// The threads of this process whose names begin with "test-pool-".
std::size_t threads_of_pool() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name.starts_with("test-pool-")) ++count;
  }
  return count;
}

class WorkerPoolTest : public ::testing::Test {
 protected:
  void hold(std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) pool_.run([released = released_] { released.wait(); });
  }
  // Whether the pool runs work at all.
  bool works() {
    auto done = std::make_shared<std::promise<void>>();
    auto future = done->get_future();
    boost::asio::post(pool_.context(), [done] { done->set_value(); });
    return future.wait_for(10s) == std::future_status::ready;
  }

  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
  WorkerPool pool_;
};

TEST_F(WorkerPoolTest, AnotherThreadTakesThePlaceOfEachThatACallHolds) {
  pool_.start(2, "test-pool-", 0);
  hold(7);
  EXPECT_TRUE(works());
  release_.set_value();
  EXPECT_TRUE(works());
}

TEST_F(WorkerPoolTest, TheFurtherThreadsEndOnceTheCallsHaveReturned) {
  pool_.start(1, "test-pool-", 0);
  hold(3);
  EXPECT_TRUE(works());
  EXPECT_GE(threads_of_pool(), 4U);
  release_.set_value();
  const auto until = std::chrono::steady_clock::now() + 10s;
  while (threads_of_pool() > 1 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(threads_of_pool(), 1U);
  EXPECT_TRUE(works());
}

// Work in small steps. The pool's first thread hands the next step to another thread. Another thread keeps the next step
// to itself, and wakes no thread for it.
struct Steps {
  boost::asio::io_context& context;
  std::atomic<int> taken{0};
  std::atomic<bool> ends{false};

  void take() {
    ++taken;
    if (ends) return;
    std::array<char, 16> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    const auto next = [this] { take(); };
    if (std::string_view(name.data()) == "test-pool-0") {
      boost::asio::post(context, next);
      std::this_thread::sleep_for(5ms);
    } else {
      std::this_thread::sleep_for(1ms);
      boost::asio::defer(context, next);
    }
  }
};

TEST_F(WorkerPoolTest, WorkGoesOnWhenTheThreadThatDidItEnds) {
  pool_.start(1, "test-pool-", 0);
  hold(1);
  EXPECT_TRUE(works()) << "a further thread runs";
  Steps steps{pool_.context()};
  boost::asio::post(pool_.context(), [&steps] { steps.take(); });
  release_.set_value();
  const auto until = std::chrono::steady_clock::now() + 10s;
  while (threads_of_pool() > 1 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(threads_of_pool(), 1U);
  const int before = steps.taken;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (steps.taken == before && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_GT(steps.taken, before);
  steps.ends = true;
  EXPECT_TRUE(works());
  pool_.join();
}

TEST_F(WorkerPoolTest, ItsEndWaitsForTheCallsThatRun) {
  pool_.start(1, "test-pool-", 0);
  hold(2);
  EXPECT_TRUE(works());
  auto ended = std::async(std::launch::async, [this] { pool_.join(); });
  EXPECT_EQ(ended.wait_for(50ms), std::future_status::timeout);
  release_.set_value();
  ended.get();
  EXPECT_EQ(threads_of_pool(), 0U);
}

}  // namespace
}  // namespace gantry::transport
