// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/thread_pools.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>

namespace gantry::transport {

ThreadPools::ThreadPools() = default;

void ThreadPools::start(std::uint32_t workers) {
  constexpr int strangers_niceness = 10;
  workers_.start(workers, "gantry-http-", 0);
  strangers_.start(std::max(2U, workers / 2), "gantry-new-", strangers_niceness);
}

// Strangers first: their last steps may still hand a connection to the workers.
void ThreadPools::join() {
  strangers_.join();
  workers_.join();
}

void ThreadPools::poll() {
  for (std::size_t done = 1; done != 0;) {
    done = 0;
    for (auto* context : {&strangers_.context, &workers_.context}) {
      context->restart();
      done += context->poll();
    }
  }
}

Strand ThreadPools::new_strand(ClientClass client) {
  auto& pool = client == ClientClass::proven ? workers_ : strangers_;
  return Strand(pool.context.get_executor());
}

void ThreadPools::Pool::start(std::uint32_t count, const std::string& name, int nice) {
  // The first timer opens the context's descriptors: now, while there are descriptors left.
  const boost::asio::steady_timer opens_descriptors(context);
  guard.emplace(context.get_executor());
  for (std::uint32_t i = 0; i < count; ++i) {
    threads.emplace_back([this, nice] {
      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
      context.run();
    });
    pthread_setname_np(threads.back().native_handle(), (name + std::to_string(i)).c_str());
  }
}

void ThreadPools::Pool::join() {
  guard.reset();
  for (auto& thread : threads) thread.join();
  threads.clear();
}

}  // namespace gantry::transport
