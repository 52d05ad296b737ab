// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/worker_pool.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

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
