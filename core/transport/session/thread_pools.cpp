// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/thread_pools.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <chrono>

namespace gantry::transport {

ThreadPools::ThreadPools() = default;

void ThreadPools::start(std::uint32_t workers) {
  constexpr int strangers_niceness = 10;
  workers_.start(workers, "gantry-http-", 0);
  strangers_.start(std::max(2U, workers / 2), "gantry-new-", strangers_niceness);
  long_reads_.start(workers / 2);
}

// Long reads first: their answers go to sessions of both pools. Then strangers: their last steps may still hand a connection to the workers. A stream over TLS that has moved to the
// workers keeps its timers in the context that the stream began with. So this thread runs that context until the
// workers are done.
void ThreadPools::join() {
  constexpr std::chrono::milliseconds interval{1};
  if (!is_started()) return;
  long_reads_.join();
  strangers_.join();
  workers_.let_end();
  {
    const auto keeps_running = boost::asio::make_work_guard(strangers_.context());
    strangers_.context().restart();
    while (!workers_.context().stopped()) strangers_.context().run_for(interval);
  }
  workers_.join();
}

void ThreadPools::poll() {
  for (std::size_t done = 1; done != 0;) {
    done = 0;
    for (auto* pool : {&strangers_, &workers_}) {
      pool->context().restart();
      done += pool->context().poll();
    }
    while (long_reads_.poll()) ++done;
  }
}

Strand ThreadPools::new_strand(ClientClass client) {
  auto& pool = client == ClientClass::proven ? workers_ : strangers_;
  return Strand(pool.context().get_executor());
}

}  // namespace gantry::transport
