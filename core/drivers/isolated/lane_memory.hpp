// SPDX-License-Identifier: Apache-2.0
//
// The memory of the lanes between the service and one runner, and which lane is free. The first lane is for the start and
// the end of the driver, the others are lent to calls.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/drivers/isolated/lane.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers::isolated {

// [any thread]
class LaneMemory {
 public:
  // `calls`: how many lanes calls may have. Error: no address space or memory.
  static Result<LaneMemory> make(std::uint32_t calls);
  LaneMemory(LaneMemory&& other) noexcept;
  LaneMemory& operator=(LaneMemory&&) = delete;
  ~LaneMemory();

  std::uint32_t count() const { return count_; }
  std::uintptr_t begin() const { return begin_; }
  int descriptor() const { return descriptor_.number(); }
  Lane lane(std::uint32_t number) const { return Lane(begin_ + number * Lane::size); }
  // The memory that the lanes take, written to by either side.
  std::uint64_t bytes() const;
  // Gives the memory of a lane back to the system. All bytes of the lane are zero then.
  void empty(std::uint32_t number) const;

 private:
  LaneMemory(files::Descriptor descriptor, std::uintptr_t begin, std::uint32_t count);

  files::Descriptor descriptor_;
  std::uintptr_t begin_;
  std::uint32_t count_;
};

// Lends lanes to calls. [any thread]
class FreeLanes {
 public:
  explicit FreeLanes(const LaneMemory& memory);
  // Waits for a free lane. nullopt: there is none until then.
  std::optional<std::uint32_t> take(Lane::TimePoint until);
  // Empties the lane before it is free again if all lanes together take much memory.
  void give_back(std::uint32_t lane);
  // Empties every lane, those of calls as soon as they are given back.
  void empty_all();
  // How many lanes calls have.
  std::size_t taken() const;

 private:
  const LaneMemory& memory_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint32_t> free_;
  std::vector<bool> is_to_be_emptied_;
};

}  // namespace gantry::drivers::isolated
