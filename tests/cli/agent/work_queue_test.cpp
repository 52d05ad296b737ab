// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/work_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>

namespace gantry::cli::agent {
namespace {

TEST(WorkQueue, WorksOnANameOnceForEachRequest) {
  std::latch done(100);
  std::mutex mutex;
  std::map<std::string, int> counts;
  WorkQueue queue(4, [&](const std::string& name, const std::stop_token&) {
    {
      const std::lock_guard lock(mutex);
      ++counts[name];
    }
    done.count_down();
  });
  for (int at = 0; at < 100; ++at) queue.add("n" + std::to_string(at));
  done.wait();
  EXPECT_EQ(counts.size(), 100u);
}

TEST(WorkQueue, NeverWorksTwiceAtATimeOnOneName) {
  std::atomic<int> at_once = 0;
  std::atomic<bool> overlapped = false;
  std::latch begun(1);
  std::latch go_on(1);
  std::latch done(2);
  WorkQueue queue(4, [&](const std::string&, const std::stop_token&) {
    if (++at_once > 1) overlapped = true;
    if (!begun.try_wait()) begun.count_down();
    go_on.wait();
    --at_once;
    done.count_down();
  });
  queue.add("a");
  begun.wait();
  queue.add("a");
  go_on.count_down();
  done.wait();
  EXPECT_FALSE(overlapped);
}

TEST(WorkQueue, DelaysWorkAndDoesOtherWorkMeanwhile) {
  std::mutex mutex;
  std::vector<std::string> order;
  std::latch done(3);
  const auto begin = std::chrono::steady_clock::now();
  WorkQueue queue(1, [&](const std::string& name, const std::stop_token&) {
    {
      const std::lock_guard lock(mutex);
      order.push_back(name);
    }
    done.count_down();
  });
  queue.add_later("last", std::chrono::milliseconds(400));
  queue.add_later("second", std::chrono::milliseconds(200));
  queue.add("first");
  done.wait();
  EXPECT_EQ(order, (std::vector<std::string>{"first", "second", "last"}));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(400));
}

TEST(WorkQueue, DropsWaitingWorkAtItsEnd) {
  std::latch begun(1);
  std::atomic<int> done = 0;
  {
    WorkQueue queue(1, [&](const std::string&, const std::stop_token& stop) {
      if (done++ == 0) begun.count_down();
      while (!stop.stop_requested()) std::this_thread::yield();
    });
    queue.add("a");
    queue.add("b");
    begun.wait();
  }
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace gantry::cli::agent
