// SPDX-License-Identifier: Apache-2.0
//
// A lane carries one call at a time between the service and the runner of an isolated driver. It lies in memory that
// both processes have at the same address:
//
//   head      whose turn it is, and the size of the message
//   input     written by the service: the call, as structs of the ABI with absolute pointers
//   answer    written by the service: the answer to a message
//   message   written by the runner
//
// Only the side whose turn it is writes. The runner is not trusted to keep to that: the service never reads what it has
// written itself, and copies a message before it looks at it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry::drivers::isolated {

enum class LaneTurn : std::uint32_t { service = 0, runner = 1 };

class Lane {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  static constexpr std::uint64_t size = std::uint64_t{128} << 20;  // bytes of address space; memory as it is needed
  static constexpr std::uint32_t most = 64;                        // lanes of one runner

  // `begin`: the address of the lane.
  explicit Lane(std::uintptr_t begin) : begin_(begin) {}

  std::span<std::byte> input() const { return part(head_size, input_size); }
  std::span<std::byte> answer() const { return part(head_size + input_size, answer_size); }
  std::span<std::byte> message() const { return part(head_size + input_size + answer_size, message_size); }

  std::uint64_t bytes_of_message() const;
  void set_bytes_of_message(std::uint64_t bytes) const;

  // Gives the turn to the other side and wakes it.
  void pass_to(LaneTurn side) const;
  // Waits until it is the turn of `side`, or until then. Returns whether it is. May return early.
  bool wait_for(LaneTurn side, TimePoint until) const;

 private:
  static constexpr std::uint64_t head_size = 4096;
  static constexpr std::uint64_t input_size = std::uint64_t{64} << 20;
  static constexpr std::uint64_t answer_size = std::uint64_t{16} << 20;
  static constexpr std::uint64_t message_size = std::uint64_t{40} << 20;
  struct Head;

  Head& head() const;
  std::span<std::byte> part(std::uint64_t offset, std::uint64_t bytes) const;

  std::uintptr_t begin_;
};

// The addresses at which the lanes of the `slot`-th isolated driver of the service begin.
std::uintptr_t lanes_begin(std::uint32_t slot);
constexpr std::uint32_t most_slots = 16;

}  // namespace gantry::drivers::isolated
