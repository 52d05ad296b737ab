// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/thread_pools.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <thread>

namespace gantry::transport {
namespace {

using namespace std::chrono_literals;

// As a stream over TLS does that ends while a read is under way: the stream's timer is the strangers', its steps are the
// workers'.
TEST(ThreadPoolsTest, TheirEndWaitsForWorkersThatWaitForATimerOfTheStrangers) {
  ThreadPools pools;
  pools.start(1);
  const auto strand = pools.new_strand(ClientClass::proven);
  boost::asio::steady_timer timer(pools.new_strand(ClientClass::stranger));
  bool is_done = false;
  boost::asio::post(strand, [&] {
    std::this_thread::sleep_for(50ms);  // so that the strangers have no work left
    timer.expires_after(1h);
    timer.async_wait(boost::asio::bind_executor(strand, [&is_done](auto /*error*/) { is_done = true; }));
    timer.cancel();
  });
  pools.join();
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace gantry::transport
