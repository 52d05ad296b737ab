// SPDX-License-Identifier: Apache-2.0
//
// Memory of one call: taken piece by piece, released as a whole. One thread. Bounded: a driver that loops cannot take
// the machine's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gantry::drivers {

class Arena {
 public:
  static constexpr std::uint64_t largest = std::uint64_t{256} << 20;  // bytes of one call
  static constexpr std::size_t alignment = 64;                        // the most that can be asked for

  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // nullptr: the bound is reached, or align is no power of two up to 64.
  void* allocate(std::uint64_t size, std::uint64_t align);

 private:
  struct Free {
    void operator()(std::byte* chunk) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> bytes;
    std::size_t size = 0;
  };

  bool add_chunk(std::size_t at_least);

  static thread_local Chunk spare_;  // of the thread's last call, so that a call need not ask the system for memory
  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;  // of the last chunk
  std::uint64_t total_ = 0;
};

}  // namespace gantry::drivers
