// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/lanes.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>

namespace gantry::transport {

namespace {

// The first version of the kernel's sched_attr: its own header and glibc's <sched.h> define the same names.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;  // SCHED_OTHER
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // nanoseconds
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

// From Linux 6.12 on whoever asks for shorter turns goes first when it wakes; before, it is whoever has the greater
// weight. Where neither is allowed all lanes are alike.
void ask_for_turns(std::chrono::nanoseconds length, std::int32_t nice) {
  SchedulingAttributes wanted;
  wanted.nice = nice;
  wanted.runtime = static_cast<std::uint64_t>(length.count());
  if (syscall(SYS_sched_setattr, 0, &wanted, 0) != 0 && nice > 0) setpriority(PRIO_PROCESS, 0, nice);
}

}  // namespace

void Lanes::start(std::uint32_t workers) {
  // A context opens its descriptors at the first use: now, while there are some.
  for (auto& context : contexts_) boost::asio::steady_timer{context};
  open_.emplace(*this);
  begin_threads(Standing::proven, workers, "gantry-http-");
  // TLS handshakes take long.
  begin_threads(Standing::newcomer, std::max(1U, workers / 2), "gantry-new-");
  begin_threads(Standing::large_body, 1, "gantry-large-");
}

void Lanes::begin_threads(Standing standing, std::uint32_t count, const std::string& name) {
  for (std::uint32_t i = 0; i < count; ++i) {
    threads_.emplace_back([this, standing] {
      constexpr std::chrono::milliseconds after_handshakes{2};
      constexpr std::chrono::milliseconds after_bodies{250};
      if (standing == Standing::proven) return serve_first();
      serve_after(at(standing), standing == Standing::newcomer ? after_handshakes : after_bodies);
    });
    pthread_setname_np(threads_.back().native_handle(), (name + std::to_string(i)).c_str());
  }
}

void Lanes::serve_first() {
  ask_for_turns(std::chrono::microseconds(100), 0);
  at(Standing::proven).run();
}

// With pauses: where processors are few, the kernel finds one for those that wake the more easily, the less it has to
// interrupt.
void Lanes::serve_after(boost::asio::io_context& lane, Clock::duration longest_rest) {
  constexpr std::chrono::microseconds longest_turn{25};
  ask_for_turns(std::chrono::milliseconds(100), 10);
  prctl(PR_SET_TIMERSLACK, 1'000);
  auto began = Clock::now();
  for (;;) {
    if (lane.poll_one() == 0) {
      if (lane.run_one() == 0) return;
      began = Clock::now();
    }
    const auto ended = Clock::now();
    if (ended - began < longest_turn) continue;
    rest_until(ended + std::min(9 * (ended - began), longest_rest));
    began = Clock::now();
  }
}

// Or until there are no others any more.
void Lanes::rest_until(Clock::time_point end) {
  constexpr Clock::duration look{std::chrono::milliseconds(5)};
  for (auto now = Clock::now(); now < end && are_others_there(); now = Clock::now())
    std::this_thread::sleep_for(std::min(end - now, look));
}

bool Lanes::are_others_there() {
  constexpr std::chrono::milliseconds memory{10};
  const auto now = Clock::now().time_since_epoch();
  if (others_served_.exchange(false, std::memory_order_relaxed))
    others_there_until_.store(now + memory, std::memory_order_relaxed);
  return now < others_there_until_.load(std::memory_order_relaxed);
}

void Lanes::join() {
  open_.reset();
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void Lanes::poll() {
  for (std::size_t done = 1; done != 0;) {
    done = 0;
    for (auto& context : contexts_) {
      context.restart();
      done += context.poll();
    }
  }
}

}  // namespace gantry::transport
