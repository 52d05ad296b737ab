// SPDX-License-Identifier: Apache-2.0
//
// The thread pools of a server. Strangers are accepted, shake hands and are refused in a pool of their own, whose
// threads have a lower priority, so that a flood of strangers costs the other clients little. A connection moves to the
// workers, the second pool, with its first request that can be decided, and stays there. Reads that take long by nature
// have a lane of their own.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/transport/session/long_reads.hpp"
#include "core/transport/session/worker_pool.hpp"
#include "core/transport/sockets/byte_stream.hpp"

namespace gantry::transport {

enum class ClientClass : std::uint8_t {
  stranger,  // has sent no request yet that can be decided
  proven,    // has sent such a request
};

class ThreadPools {
 public:
  ThreadPools();
  ~ThreadPools() { join(); }
  ThreadPools(const ThreadPools&) = delete;
  ThreadPools& operator=(const ThreadPools&) = delete;

  // Starts `workers` threads for proven clients, and half as many, two at least, for strangers and for long reads.
  // [control thread]
  void start(std::uint32_t workers);
  // Waits until all work is done, and ends the threads. No new connection may arrive any more. [control thread]
  void join();
  bool is_started() const { return strangers_.is_started(); }
  // Runs the work of all pools that is ready, on the calling thread. For use without start().
  void poll();

  // Returns a new strand in the pool for clients of that class. [any thread]
  Strand new_strand(ClientClass client);
  // Returns the strand, in the strangers' pool, on which requests with large bodies are decoded, and decided unless
  // that takes a driver. They run one at a time, because each occupies a thread for long. [any thread]
  const Strand& large_requests() const { return large_requests_; }
  // Returns the pool for clients of that class, which runs their calls of drivers. [any thread]
  WorkerPool& pool(ClientClass client) { return client == ClientClass::proven ? workers_ : strangers_; }
  LongReads& long_reads() { return long_reads_; }

  // Counts what the pool for clients of that class has done: a pool that is busy goes on, one that is dead does not.
  // [any thread]
  void note_step(ClientClass client) { steps(client).fetch_add(1, std::memory_order_relaxed); }
  std::atomic<std::uint64_t>& steps(ClientClass client) {
    return client == ClientClass::proven ? steps_of_workers_ : steps_of_strangers_;
  }

 private:
  WorkerPool strangers_;
  WorkerPool workers_;
  Strand large_requests_{strangers_.context().get_executor()};
  LongReads long_reads_;
  std::atomic<std::uint64_t> steps_of_workers_{0};
  std::atomic<std::uint64_t> steps_of_strangers_{0};
};

}  // namespace gantry::transport
