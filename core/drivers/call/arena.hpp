// SPDX-License-Identifier: Apache-2.0
//
// The memory of one call into a driver: allocated piece by piece, released as a whole. For one thread. The memory has a
// limit, so a driver in a loop cannot exhaust the machine's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gantry::drivers {

class Arena {
 public:
  static constexpr std::uint64_t usual_limit = std::uint64_t{256} << 20;  // limit for one call, in bytes
  static constexpr std::size_t alignment = 64;                            // the largest `align`, in bytes

  explicit Arena(std::uint64_t limit = usual_limit) : limit_(limit) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns memory for `size` bytes. nullptr if the limit is reached, the machine's memory has run out, or `align` is
  // not a power of two up to 64.
  void* allocate(std::uint64_t size, std::uint64_t align);
  std::uint64_t limit() const { return limit_; }

 private:
  struct Free {
    void operator()(std::byte* chunk) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> bytes;
    std::size_t size = 0;
  };

  bool add_chunk(std::size_t at_least);

  static thread_local Chunk spare_;  // a chunk of an earlier call on the thread, kept for the next call
  const std::uint64_t limit_;        // the most that total_ may be
  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;     // bytes used in the last chunk
  std::uint64_t total_ = 0;  // bytes of all chunks
};

}  // namespace gantry::drivers
