// SPDX-License-Identifier: Apache-2.0
//
// The memory of the lanes between the service and one runner, and which lane is free.
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
  // Error: no address space or memory.
  static Result<LaneMemory> make(std::uint32_t lanes);
  LaneMemory(LaneMemory&& other) noexcept;
  LaneMemory& operator=(LaneMemory&&) = delete;
  ~LaneMemory();

  std::uint32_t count() const { return count_; }
  std::uintptr_t begin() const { return begin_; }
  int descriptor() const { return descriptor_.number(); }
  Lane lane(std::uint32_t number) const { return Lane(begin_ + number * Lane::size); }

 private:
  LaneMemory(files::Descriptor descriptor, std::uintptr_t begin, std::uint32_t count);

  files::Descriptor descriptor_;
  std::uintptr_t begin_;
  std::uint32_t count_;
};

// Lends lanes to calls. [any thread]
class FreeLanes {
 public:
  explicit FreeLanes(std::uint32_t count);
  // Waits for a free lane. nullopt: there is none until then.
  std::optional<std::uint32_t> take(Lane::TimePoint until);
  void give_back(std::uint32_t lane);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint32_t> free_;
};

}  // namespace gantry::drivers::isolated
