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

// A side that answers at once is awaited without sleep: a sleep and its end cost more than most answers.
constexpr int spins = 400;

void pause_briefly() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

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
  for (int spin = 0; spin < spins; ++spin) {
    if (turn.load() == wanted) return true;
    pause_briefly();
  }
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
