// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/lane.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::drivers::isolated {
namespace {

// A side that answers soon is awaited without sleep where both sides have a processor: a sleep and its end may cost
// more than the answer. Where they share one, each spin keeps the other side from answering. So a thread spins only as
// long as it helps, and tries again now and then.
class Spin {
 public:
  template <class Done>
  bool until(const Done& done) {
    if (budget_.count() == 0 && ++waits_ % waits_between_trials != 0) return false;
    const auto begin = std::chrono::steady_clock::now();
    const auto end = begin + std::max(budget_, trial);
    do {
      for (int pauses = 0; pauses < pauses_between_looks; ++pauses) {
        if (done()) {
          budget_ = std::min(longest, std::max(budget_, trial) * 2);
          return true;
        }
        pause_briefly();
      }
    } while (std::chrono::steady_clock::now() < end);
    budget_ = budget_ > trial ? budget_ / 4 : std::chrono::nanoseconds(0);
    return false;
  }

 private:
  static constexpr std::chrono::nanoseconds trial{5'000};
  static constexpr std::chrono::nanoseconds longest{60'000};
  static constexpr std::uint32_t waits_between_trials = 32;
  static constexpr int pauses_between_looks = 8;

  static void pause_briefly() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }

  std::chrono::nanoseconds budget_ = trial;
  std::uint32_t waits_ = 0;
};

thread_local Spin spin_of_thread;

timespec time_until(Lane::TimePoint until) {
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
  const auto now = std::chrono::steady_clock::now();
  const auto left = until - now > longest ? longest : std::max(std::chrono::nanoseconds(0), until - now);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((left - seconds).count())};
}

}  // namespace

struct Lane::Head {
  std::atomic<std::uint32_t> turn;
  std::uint32_t reserved;
  std::atomic<std::uint64_t> message_bytes;
};

Lane::Head& Lane::head() const {
  return *reinterpret_cast<Head*>(begin_);  // NOLINT(performance-no-int-to-ptr)
}

std::span<std::byte> Lane::part(std::uint64_t offset, std::uint64_t bytes) const {
  static_assert(head_size + input_size + answer_size + message_size <= size);
  return {reinterpret_cast<std::byte*>(begin_ + offset), bytes};  // NOLINT(performance-no-int-to-ptr)
}

std::uint64_t Lane::bytes_of_message() const {
  return head().message_bytes.load();
}

void Lane::set_bytes_of_message(std::uint64_t bytes) const {
  head().message_bytes = bytes;
}

void Lane::pass_to(LaneTurn side) const {
  auto& turn = head().turn;
  turn.store(static_cast<std::uint32_t>(side));
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&turn), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool Lane::wait_for(LaneTurn side, TimePoint until) const {
  auto& turn = head().turn;
  const auto wanted = static_cast<std::uint32_t>(side);
  if (spin_of_thread.until([&] { return turn.load(std::memory_order_acquire) == wanted; })) return true;
  const std::uint32_t seen = turn.load();
  if (seen == wanted) return true;
  const timespec left = time_until(until);
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&turn), FUTEX_WAIT, seen, &left, nullptr, 0);
  return turn.load() == wanted;
}

std::uintptr_t lanes_begin(std::uint32_t slot) {
  return fleet::shared_memory_begin + fleet::shared_memory_size + slot * (Lane::most * Lane::size);
}

}  // namespace gantry::drivers::isolated
